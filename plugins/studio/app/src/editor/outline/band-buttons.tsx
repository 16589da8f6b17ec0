import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { addBand } from "../model/edits.js";
import { useEditor } from "../model/editor-context.js";
import { regionWords } from "../model/place-names.js";
import { BANDS, type BandName } from "../model/tree.js";

/** Headers and footers that a document has not, to be added. */
export function BandButtons() {
  const editor = useEditor();
  if (editor.templateType === "email") return null;
  const { lists } = editor.tree.value;
  const missing = BANDS.filter((band) => !lists.has(band));
  if (missing.length === 0) return null;
  const add = (band: BandName) => {
    addBand(editor, band);
    editor.announced.value = `${regionWords[band]} added`;
  };
  return (
    <div class="outline-bands" role="group" aria-label="Add to the page">
      {missing.map((band) => (
        <Button kind="quiet" key={band} onPress={() => add(band)}>
          <Icon name="plus" size={14} />
          {regionWords[band]}
        </Button>
      ))}
    </div>
  );
}
