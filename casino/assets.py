"""How the pages' files are named and served: by their content, for good, compressed."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModules(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Name files by their hash, also where one ES module of the table imports another.

    Others' bundles are left as they are: what looks like an import in them may be none.
    """

    max_post_process_passes = 12  # one for each step from a page's first module to its last
    _IMPORTS = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("pontoon/*.js", _IMPORTS))
