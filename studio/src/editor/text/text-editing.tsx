import { ChipPopover } from "./chip-popover.js";
import { FieldMenu } from "./field-menu.js";
import { TextSurface } from "./text-surface.js";

// What is loaded once a text is edited: ProseMirror, and all that opens in a text.

export { TextSurface };

/** The settings of the chip and the field menu that are open in a text. */
export function TextPopups({ surface }: { surface: TextSurface }) {
  const position = surface.openChip.value;
  return (
    <>
      {position !== null && (
        <ChipPopover key={position} surface={surface} position={position} />
      )}
      {surface.trigger.open.value && <FieldMenu surface={surface} />}
    </>
  );
}
