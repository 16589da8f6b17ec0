import { useId } from "preact/hooks";
import type { RecentPayload } from "../../../../../../core/plugin-api/app-drafts.js";
import { ask } from "../../api.js";
import { agoOf } from "../../format.js";
import { may } from "../../session.js";
import { useResource } from "../../resource.js";

interface RecordChoiceProps {
  templateId: string;
  /** When the chosen record was used; "" for the sample. */
  chosen: string;
  onChoose: (at: string, data: unknown) => void;
}

/** Whose data the print shows: the sample's, or what documents were lately made of. Where there is no choice, nothing. */
export function RecordChoice(props: RecordChoiceProps) {
  const { templateId, chosen, onChoose } = props;
  const id = useId();
  const payloads = useResource(templateId, () => recent(templateId));
  const list = payloads.data ?? [];
  if (list.length === 0) return null;
  const choose = (at: string) =>
    onChoose(at, list.find((one) => one.at === at)?.data);
  return (
    <span class="record-choice">
      <label class="hidden-text" for={id}>
        Data to print with
      </label>
      <select
        id={id}
        class="input"
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">Sample</option>
        {list.map(({ at, source }) => (
          <option value={at} key={at}>
            {source === "batch" ? "Batch" : "Document"}, {agoOf(at)}
          </option>
        ))}
      </select>
    </span>
  );
}

async function recent(templateId: string): Promise<RecentPayload[]> {
  if (!may("editor")) return [];
  const at = `drafts/${templateId}/payloads`;
  return (await ask<{ payloads: RecentPayload[] }>(at)).payloads;
}
