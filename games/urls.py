"""Where the pages of tables hang."""

from django.urls import path

from games import views

app_name = "games"
urlpatterns = [
    path("table/<uuid:match_id>/", views.table, name="table"),
    path("table/<uuid:match_id>/dice/", views.verify, name="verify"),
    path("table/<uuid:match_id>/verdict/", views.verdict, name="verdict"),
    path("table/<uuid:match_id>/dice.json", views.dice_json, name="dice_json"),
    path("fair-dice/", views.fair_dice, name="fairness"),
]
