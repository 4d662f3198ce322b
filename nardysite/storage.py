"""Static files of production: each also under a name with a hash of its content, so that browsers may keep it for ever."""

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Our modules import by `import … from "./x.js";` and `export … from "./x.js";` alone. Django has patterns for
# that and for import(…), but the latter also finds types in comments, which are no files.
_NAMES = r"""(?P<matched>{word}(?P<names>[\s{{*][^;"']*?)\s*from\s*["'](?P<url>\.[^"']*)["']\s*;)"""
_EFFECT = r"""(?P<matched>import\s*["'](?P<url>\.[^"']*)["']\s*;)"""
MODULES = (
    "*.js",
    (
        (_NAMES.format(word="import"), 'import%(names)s from "%(url)s";'),
        (_NAMES.format(word="export"), 'export%(names)s from "%(url)s";'),
        (_EFFECT, 'import "%(url)s";'),
    ),
)


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """`collectstatic` writes hashed names into style sheets and modules too, and compresses everything."""

    patterns = (*ManifestStaticFilesStorage.patterns, MODULES)
