import type { AssistantInfo } from "../../../core/accounts/views.js";
import { ask } from "../api.js";
import { agoOf, dayOf } from "../format.js";
import { may } from "../session.js";
import { useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { askFirst } from "../ui/dialog.js";
import { Icon } from "../ui/icon.js";
import { Empty, Fault } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";
import { t } from "../messages/index.js";

interface Assistants {
  /** What people enter in an assistant. */
  address: string;
  assistants: AssistantInfo[];
}

export const scopeWords: Record<string, string> = {
  "templates:read": t("assistants.seeTemplates"),
  "templates:write": t("assistants.changeTemplates"),
  "documents:read": t("assistants.seeDocuments"),
  "documents:write": t("assistants.createDocuments"),
};

/** Assistants that connect by OAuth: an owner's page shows all, others' their own. */
export function AssistantsPage() {
  const { data, fault, reload } = useResource("", () =>
    ask<Assistants>("assistants"),
  );
  const lead = may("owner") ? t("assistants.lead") : t("assistants.ownLead");
  return (
    <>
      <PageTitle title={t("shell.assistants")} lead={lead} />
      {fault && !data && (
        <Fault
          what={t("assistants.couldntLoad")}
          why={fault}
          onRetry={reload}
        />
      )}
      {data && <AssistantList {...data} onChange={reload} />}
    </>
  );
}

interface AssistantListProps extends Assistants {
  onChange: () => Promise<void>;
}

function AssistantList({ address, assistants, onChange }: AssistantListProps) {
  if (assistants.length === 0)
    return (
      <Empty icon="assistant" title={t("assistants.noneYet")}>
        <p>{t("assistants.noneHelp")}</p>
        <Address address={address} />
      </Empty>
    );
  return (
    <div class="stack">
      <ul class="card lines">
        {assistants.map((assistant) => (
          <AssistantLine
            key={assistant.id}
            assistant={assistant}
            onChange={onChange}
          />
        ))}
      </ul>
      <div class="stack small muted">
        <p>{t("assistants.address")}</p>
        <Address address={address} />
      </div>
    </div>
  );
}

function Address({ address }: { address: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(address);
    toast(t("assistants.addressCopied"));
  };
  return (
    <div class="row address">
      <code class="command">{address}</code>
      <Button label={t("assistants.copyAddress")} isIcon onPress={copy}>
        <Icon name="copy" />
      </Button>
    </div>
  );
}

function AssistantLine({
  assistant: { id, name, user, redirectHost, scopes, createdAt, lastUsedAt },
  onChange,
}: {
  assistant: AssistantInfo;
  onChange: () => Promise<void>;
}) {
  const disconnect = askFirst({
    title: t("assistants.disconnectNameQuestion", { name }),
    text: t("assistants.disconnectWarning", { name }),
    act: t("assistants.disconnect"),
    onAct: async () => {
      await ask(`assistants/${id}`, "DELETE");
      await onChange();
      toast(t("assistants.nameWasDisconnected", { name }));
    },
  });
  return (
    <li class="line key">
      <div class="words">
        <strong>{name}</strong>
        <span class="muted small">
          {redirectHost} · {t("assistants.byName", { name: user.name })}
        </span>
        <span class="muted small">{scopes.join(", ")}</span>
      </div>
      <div class="words muted small">
        <span>{t("assistants.connectedDate", { date: dayOf(createdAt) })}</span>
        <span>
          {lastUsedAt
            ? t("keys.usedAgo", { ago: agoOf(lastUsedAt) })
            : t("keys.neverUsed")}
        </span>
      </div>
      <div class="row files">
        <Button
          label={t("assistants.disconnectName", { name })}
          dialog={disconnect}
        >
          {t("assistants.disconnect")}
        </Button>
      </div>
    </li>
  );
}
