import type { RecentPayload } from "../../../../../../core/plugin-api/app-drafts.js";
import type { Json } from "../../../../../../core/plugin-api/definition.js";
import { ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Fault } from "../../ui/notice.js";
import type { DraftSession } from "../session/draft-session.js";

interface RecentPayloadsProps {
  session: DraftSession;
  onChoose: (data: Json) => void;
}

const shortest = 160;

/** The data of the last documents of this template. */
export function RecentPayloads({ session, onChoose }: RecentPayloadsProps) {
  const { templateId } = session.view.value;
  const { data, fault, reload } = useResource(templateId, () =>
    ask<{ payloads: RecentPayload[] }>(`drafts/${templateId}/payloads`),
  );
  if (fault !== null)
    return (
      <Fault
        what="The last data could not be read"
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return <Bones count={3} />;
  if (data.payloads.length === 0)
    return (
      <p class="data-hint">
        No data yet. Once a document was made of this template, its data can be
        taken from here.
      </p>
    );
  return (
    <ul class="sample-recent">
      {data.payloads.map((one) => (
        <li key={one.at}>
          <span>
            <strong>{new Date(one.at).toLocaleString()}</strong>
            <small>{JSON.stringify(one.data).slice(0, shortest)}</small>
          </span>
          {/* What was sent to be merged was JSON. */}
          {/* oxlint-disable-next-line typescript/no-unsafe-type-assertion */}
          <Button onPress={() => onChoose(one.data as Json)}>Use it</Button>
        </li>
      ))}
    </ul>
  );
}
