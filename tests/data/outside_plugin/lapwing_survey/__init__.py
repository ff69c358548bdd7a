"""A plugin from outside: one of everything that a manifest could name."""

from plugins.api import Action, LinkKind, LogFormat, Page, Panel, Plugin

PLUGIN = Plugin(
    "survey",
    "Survey",
    "What a surveyor wants to see",
    panels=(
        Panel("height", "Survey height", "lapwing_survey.panel:HeightPanel", 5, help="In metres"),
        Panel("rules", "Survey rules", "lapwing_survey.panel:RulesPanel", needs_vehicle=False),
    ),
    pages=(
        Page(
            "card",
            "Survey card",
            "lapwing_survey.page:CardPage",
            950,
            ("StabilizationSettingsBank1.RollRatePID",),
            "surveyor gains",
        ),
    ),
    links=(
        LinkKind(
            "survey",
            "Survey radio",
            "lapwing_survey.link:open_radio",
            "lapwing_survey.link:radios",
            "survey:1",
        ),
    ),
    log_formats=(LogFormat(".survey", "Survey log", "lapwing_survey.log:read"),),
    actions=(
        Action("count", "Count survey flights", "lapwing_survey.action:count", "Ctrl+Alt+Shift+K"),
    ),
    place_offer="lapwing_survey.places:place_offer",
)
