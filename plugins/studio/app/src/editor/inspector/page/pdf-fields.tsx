import { useState } from "preact/hooks";
import { AssetPicker } from "../../../assets/asset-picker.js";
import { Button } from "../../../ui/button.js";
import { Icon } from "../../../ui/icon.js";
import { useEditor } from "../../model/editor.js";
import { Group } from "../controls/group.js";
import { SwitchField } from "../controls/switch-field.js";
import { TemplateRow } from "../controls/template-row.js";
import { setPart } from "./set-at.js";

const texts = [
  ["title", "Title"],
  ["author", "Author"],
  ["subject", "Subject"],
] as const;

/** What the PDF tells of itself, and the PDFs that are joined to it. */
export function PdfFields() {
  const editor = useEditor();
  const { pdf = {} } = editor.definition.value;
  return (
    <Group title="PDF" isFolded>
      {texts.map(([key, words]) => (
        <TemplateRow
          label={words}
          value={pdf[key] ?? ""}
          owner={null}
          onChange={(text) => setPart(editor, "pdf", key, text || undefined)}
          key={key}
        />
      ))}
      <TemplateRow
        label="Keywords"
        value={pdf.keywords?.join(", ") ?? ""}
        owner={null}
        hint="With commas between."
        onChange={(text) => setPart(editor, "pdf", "keywords", wordsIn(text))}
      />
      <SwitchField
        label="Accessible"
        hint="With the structure that screen readers need."
        value={pdf.tagged === true}
        onChange={(on) => setPart(editor, "pdf", "tagged", on || undefined)}
      />
      <SwitchField
        label="Bookmarks"
        hint="One for each heading."
        value={pdf.outline === true}
        onChange={(on) => setPart(editor, "pdf", "outline", on || undefined)}
      />
      <JoinedPdfs place="before" words="Before" />
      <JoinedPdfs place="after" words="After" />
    </Group>
  );
}

function wordsIn(text: string): string[] | undefined {
  const words = text.split(",").map((word) => word.trim());
  return text.trim() === "" ? undefined : words;
}

interface JoinedPdfsProps {
  place: "before" | "after";
  words: string;
}

function JoinedPdfs({ place, words }: JoinedPdfsProps) {
  const editor = useEditor();
  const [isOpen, setOpen] = useState(false);
  const joined = editor.definition.value.pdf?.[place] ?? [];
  const set = (next: { asset: string }[]) =>
    setPart(editor, "pdf", place, next.length === 0 ? undefined : next);
  return (
    <div class="prop-row tall">
      <span class="prop-label">{words}</span>
      <div class="prop-control">
        {joined.map(({ asset }, index) => (
          <div class="prop-pair" key={asset}>
            <code class="asset-id">{asset}</code>
            <Button
              kind="quiet"
              isIcon
              label={`Take PDF ${index + 1} away`}
              onPress={() => set(joined.filter((_one, at) => at !== index))}
            >
              <Icon name="close" size={14} />
            </Button>
          </div>
        ))}
        <Button onPress={() => setOpen(true)}>Join a PDF</Button>
      </div>
      {isOpen && (
        <AssetPicker
          kind="pdf"
          onChoose={({ id }) => {
            set([...joined, { asset: id }]);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
