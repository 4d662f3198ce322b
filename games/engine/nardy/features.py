"""What the network sees of a position: 236 numbers. A change here needs a new VERSION and new weights.

The position is always (side to roll, other side), each counted by its own progress; so there is no colour.

A, 73 a side: of each point whether it has a checker, two, and how many more than two (quarters); off/15.
B, 12 a side: pips/100; head held; head/15; home/15; any off; any home or off; all home; pips to bring all
home/60; checkers in the first three quarters/15; head above 3. Then the difference of pips/50.
C, 32 a side: of the longest run of own points ahead of the enemy's rear whether it is 3, 4, 5, 6 long; enemy
checkers behind it/15; most points in six ahead of his rear/6; exits of enemy checkers blocked/30; own exits
from the head blocked, for each die; for each die, own points that can step/5, and whether none can; rear's
progress/24; rear's blocked exits/6; points held/10; points held in the first three quarters/6; tallest
tower/8. Then whether both rears have passed the middle, so that nobody can be blocked any more.
"""

from typing import Final

NAME: Final = "nardy-c"
VERSION: Final = 1

A_SIDE: Final = 73
B_SIDE: Final = 12
C_SIDE: Final = 32
SCALARS_AT: Final = 2 * A_SIDE
PIPS_AT: Final = SCALARS_AT + 2 * B_SIDE
TACTICS_AT: Final = PIPS_AT + 1
NO_CONTACT_AT: Final = TACTICS_AT + 2 * C_SIDE
SIZE: Final = NO_CONTACT_AT + 1
"""236."""
