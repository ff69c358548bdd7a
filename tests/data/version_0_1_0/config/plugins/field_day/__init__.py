"""A plugin of the user's, as one was written for Lapwing 0.1.0."""

from plugins.api import Action, LinkKind, LogFormat, Page, Panel, Plugin

PLUGIN = Plugin(
    "field_day",
    "Field day",
    "What one wants to see on the field",
    panels=(Panel("height", "Height now", "field_day.panel:HeightPanel", rate_hz=5),),
    pages=(Page("card", "Field card", "field_day.panel:CardPage", 900, ("SystemSettings",)),),
    links=(
        LinkKind("field", "Field radio", "field_day.panel:open_radio", "field_day.panel:radios"),
    ),
    log_formats=(LogFormat(".fieldlog", "Field log", "field_day.panel:read"),),
    actions=(Action("greet", "Greet the field", "field_day.panel:greet"),),
)
