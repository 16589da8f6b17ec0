import { askPublic } from "../../api.js";
import { momentOf } from "../../format.js";
import { Link } from "../../link.js";
import { useLive } from "../../live.js";
import { may } from "../../me.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/bones.js";
import { Icon } from "../../ui/icon.js";
import { Fault, Notice } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { Deliveries } from "./deliveries.js";
import { WebhookActions } from "./webhook-actions.js";
import { eventsOf, type Webhook, WebhookState } from "./webhook-line.js";

export function WebhookPage({ id }: { id: string }) {
  const at = `webhooks/${id}`;
  const hook = useResource(at, () => askPublic<Webhook>(at));
  const { data, fault, reload } = hook;
  useLive(reload, data !== null);
  return (
    <>
      <Link class="crumb" to="webhooks">
        <Icon name="back" size={16} />
        Webhooks
      </Link>
      {!data && <PageTitle title="Endpoint" />}
      {fault && (
        <Fault
          what="The endpoint could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && !fault && <Bones count={3} />}
      {data && <Opened hook={data} onChange={reload} />}
    </>
  );
}

interface OpenedProps {
  hook: Webhook;
  onChange: () => Promise<void>;
}

function Opened({ hook, onChange }: OpenedProps) {
  return (
    <>
      <PageTitle
        title={hook.description || new URL(hook.url).host}
        lead={<code class="address">{hook.url}</code>}
      >
        <WebhookState hook={hook} />
      </PageTitle>
      <div class="stack">
        {!hook.isEnabled && hook.disabledReason !== null && (
          <Notice tone="warn" title="Nothing is sent to it">
            <p>{hook.disabledReason}</p>
          </Notice>
        )}
        <section class="card padded stack" aria-label="About it">
          <dl class="facts">
            <dt>It is told of</dt>
            <dd>{eventsOf(hook)}</dd>
            <dt>Created</dt>
            <dd>{momentOf(hook.createdAt)}</dd>
            {hook.previousSecretUntil !== null && (
              <>
                <dt>Old secret</dt>
                <dd>Signs too until {momentOf(hook.previousSecretUntil)}</dd>
              </>
            )}
          </dl>
          {may("owner") && <WebhookActions hook={hook} onChange={onChange} />}
        </section>
        <Deliveries hookId={hook.id} />
      </div>
    </>
  );
}
