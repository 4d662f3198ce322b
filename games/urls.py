"""Where the pages of tables hang."""

from django.urls import path

from games import afterwards, leaders_pages, rules_pages, views

app_name = "games"
urlpatterns = [
    path("table/<uuid:match_id>/", views.table, name="table"),
    path("table/<uuid:match_id>/dice/", views.verify, name="verify"),
    path("table/<uuid:match_id>/verdict/", views.verdict, name="verdict"),
    path("table/<uuid:match_id>/dice.json", views.dice_json, name="dice_json"),
    path("table/<uuid:match_id>/replay/", afterwards.replay, name="replay"),
    path("table/<uuid:match_id>/match.mat", afterwards.match_file, name="match_file"),
    path("table/<uuid:match_id>/analyse/", afterwards.analyse, name="analyse"),
    path("table/<uuid:match_id>/analysis.json", afterwards.analysis_json, name="analysis_json"),
    path("replay/<str:token>/", afterwards.shared_replay, name="shared_replay"),
    path("players/<path:name>/", views.player, name="player"),
    path("leaderboards/", leaders_pages.leaders, name="leaders"),
    path("leaderboards/<slug:game>/", leaders_pages.leaders, name="leaders"),
    path("fair-dice/", views.fair_dice, name="fairness"),
    path("rules/", rules_pages.choose, name="rules"),
    path("rules/backgammon/", rules_pages.backgammon, name="rules_backgammon"),
    path("rules/long-nardy/", rules_pages.long_nardy, name="rules_long_nardy"),
]
