"""What a browser is called: "Firefox, Windows" instead of what it sends."""

from django import template

register = template.Library()
# The first word that is found; others hide behind the names of those further down.
BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("YaBrowser", "Yandex Browser"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))  # fmt: skip
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "macOS"), ("Linux", "Linux"))  # fmt: skip


@register.filter
def browser_name(agent: str) -> str:
    """Browser and system, as far as they are known; else the beginning of what was sent."""
    found = [
        next((name for word, name in known if word in agent), "") for known in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, found)) or agent[:40]
