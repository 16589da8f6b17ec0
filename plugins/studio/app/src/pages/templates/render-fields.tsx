import { useId } from "preact/hooks";
import { Choices } from "../../ui/choices.js";
import { dataFault, formatsOf, type RenderOrder } from "./render-order.js";
import type { Template } from "./template.js";

interface RenderFieldsProps {
  template: Template;
  order: RenderOrder;
  onChange: (patch: Partial<RenderOrder>) => void;
}

const sources: [RenderOrder["source"], string][] = [
  ["sample", "Sample"],
  ["own", "Own JSON"],
];

/** With which data, into which format, and whether it counts. */
export function RenderFields({ template, order, onChange }: RenderFieldsProps) {
  return (
    <>
      <div class="field">
        <span class="label">Data</span>
        <Choices
          legend="Data"
          options={sources}
          value={order.source}
          onChoose={(source) => onChange({ source })}
        />
      </div>
      {order.source === "own" && (
        <DataField order={order} onChange={onChange} />
      )}
      <div class="field">
        <span class="label">Format</span>
        <Choices
          legend="Format"
          options={formatsOf(template)}
          value={order.format}
          onChoose={(format) => onChange({ format })}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={order.isTest}
          onChange={({ currentTarget }) =>
            onChange({ isTest: currentTarget.checked })
          }
        />
        <span>
          Test <span class="muted">(with a watermark, counted nowhere)</span>
        </span>
      </label>
    </>
  );
}

function DataField({
  order,
  onChange,
}: Pick<RenderFieldsProps, "order" | "onChange">) {
  const id = useId();
  const fault = dataFault(order);
  return (
    <div class="field">
      <label for={id}>Record, as JSON</label>
      <textarea
        id={id}
        class="input code"
        spellcheck={false}
        value={order.text}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault`}
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <p class="fault" id={`${id}-fault`}>
        {fault}
      </p>
    </div>
  );
}
