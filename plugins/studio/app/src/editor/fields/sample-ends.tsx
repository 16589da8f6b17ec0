import { useState } from "preact/hooks";
import type {
  DataCollection,
  Json,
} from "../../../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import { schemaOfSample } from "./infer-schema.js";
import { sampleOfFields } from "./make-sample.js";
import { setSchema } from "./schema-steps.js";

interface SampleEndsProps {
  onMake: (sample: Json) => void;
  onClose: () => void;
}

/** From fields to a sample, and from a sample to fields. */
export function SampleEnds({ onMake, onClose }: SampleEndsProps) {
  const editor = useEditor();
  const [said, setSaid] = useState("");
  const { schema, sample } = editor.definition.value;
  return (
    <div class="dialog-end">
      <span class="data-hint sample-said" role="status">
        {said}
      </span>
      {editor.mayEdit && (
        <>
          <Button onPress={() => onMake(sampleOfFields(schema, sample))}>
            Fill empty fields
          </Button>
          <Button onPress={() => setSaid(readFields(editor))}>
            Read the fields from it
          </Button>
        </>
      )}
      <Button kind="primary" onPress={onClose}>
        Done
      </Button>
    </div>
  );
}

/** @returns what came of it, in words */
function readFields(editor: Editor): string {
  const { schema, sample } = editor.definition.peek();
  const found = schemaOfSample(schema, sample);
  const more = fieldCount(found) - fieldCount(schema);
  if (more === 0) return "All that is in the sample is known already.";
  setSchema(editor, "Read fields from the sample", found);
  return more === 1 ? "1 field was added." : `${more} fields were added.`;
}

function fieldCount(schema: readonly DataCollection[]): number {
  return schema.reduce((sum, { fields }) => sum + fields.length, 0);
}
