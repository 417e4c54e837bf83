"""How operators tell what happened: failures of the library as errors of the operator, findings in the panel and in the console."""
import bpy

from .binding import Error, vtb, why

WORDS = {vtb.VTB_SEVERITY_INFO: "INFO", vtb.VTB_SEVERITY_WARNING: "WARNING", vtb.VTB_SEVERITY_ERROR: "ERROR"}


def keep(context, found):
    """Lists findings (severity, text) in the panel and prints them."""
    listed = context.scene.vertebra.findings
    listed.clear()
    for severity, text in found:
        one = listed.add()
        one.severity, one.text = severity, text
        print(f"vertebra: {WORDS[severity].lower()}: {text}")


def tell(operator, context, message, found=()):
    """The result in one line; how many findings there are besides."""
    found = list(found)
    keep(context, found)
    warnings = [text for severity, text in found if severity >= vtb.VTB_SEVERITY_WARNING]
    if warnings:
        message += f"; {len(warnings)} warning{'s' if len(warnings) > 1 else ''} (listed in the Vertebra panel), first: {warnings[0]}"
    operator.report({"WARNING"} if warnings else {"INFO"}, message)
    return {"FINISHED"}


class Failing(bpy.types.Operator):
    """An operator whose work() may raise what the library or the add-on refuses: it becomes the operator's error."""

    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        try:
            return self.work(context)
        except (Error, ValueError, OSError) as error:
            self.report({"ERROR"}, why(error))
            return {"CANCELLED"}
