import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { may } from "../../me.js";
import { useResource } from "../../resource.js";
import { place } from "../../router.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pages.js";
import { NewWebhook } from "./new-webhook.js";
import { type Webhook, WebhookLine } from "./webhook-line.js";

interface Hooks {
  data: Webhook[];
  pagination: { total: number };
}

export function WebhooksPage() {
  const [isMaking, setMaking] = useState(false);
  const page = pageIn(place.value.searchParams);
  const at = `webhooks?page=${page}&pageSize=24`;
  const hooks = useResource(at, () => askPublic<Hooks>(at));
  const { data, fault, reload } = hooks;
  return (
    <>
      <PageTitle
        title="Webhooks"
        lead="Addresses of your programs, which are told what became of documents."
      >
        {data && may("owner") && (
          <Button kind="primary" onPress={() => setMaking(true)}>
            <Icon name="plus" />
            New endpoint
          </Button>
        )}
      </PageTitle>
      {fault && (
        <Fault
          what="The endpoints could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && !fault && <Bones count={3} />}
      {data && <Lines hooks={data} page={page} />}
      {isMaking && (
        <NewWebhook onMade={reload} onClose={() => setMaking(false)} />
      )}
    </>
  );
}

function Lines({ hooks, page }: { hooks: Hooks; page: number }) {
  if (hooks.pagination.total === 0)
    return (
      <Empty icon="webhooks" title="No endpoints yet">
        <p>
          {may("owner")
            ? "Give the address of a program; it gets a signed message when a document is made or fails."
            : "An owner of your organization can add one."}
        </p>
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {hooks.data.map((hook) => (
          <WebhookLine hook={hook} key={hook.id} />
        ))}
      </ul>
      <Pages page={page} total={hooks.pagination.total} what="endpoints" />
    </>
  );
}
