import type { KeyInfo } from "../../../../../../core/plugin-api/app-plugin.js";
import { useState } from "preact/hooks";
import { ask } from "../../api.js";
import { agoOf, dayOf } from "../../format.js";
import { may } from "../../me.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault, Notice } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { NewKey } from "./new-key.js";
import { RevokeKey } from "./revoke-key.js";

interface Keys {
  keys: KeyInfo[];
  scopes: string[];
}

export function KeysPage() {
  if (may("owner")) return <OwnersKeys />;
  return (
    <>
      <PageTitle title="API keys" />
      <Notice title="Keys are for owners">
        <p>Ask an owner of your organization for a key.</p>
      </Notice>
    </>
  );
}

function OwnersKeys() {
  const [isMaking, setMaking] = useState(false);
  const { data, fault, reload } = useResource("", () => ask<Keys>("keys"));
  return (
    <>
      <PageTitle
        title="API keys"
        lead="With a key, a program does what you allow it."
      >
        {data && (
          <Button kind="primary" onPress={() => setMaking(true)}>
            <Icon name="plus" />
            New key
          </Button>
        )}
      </PageTitle>
      {fault && !data && (
        <Fault what="The keys could not be read" why={fault} onRetry={reload} />
      )}
      {data && <KeyList keys={data.keys} all={data.scopes} onChange={reload} />}
      {data && isMaking && (
        <NewKey
          scopes={data.scopes}
          onMade={reload}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  );
}

function KeyList({
  keys,
  all,
  onChange,
}: {
  keys: KeyInfo[];
  all: string[];
  onChange: () => Promise<void>;
}) {
  const [ending, setEnding] = useState<KeyInfo | null>(null);
  if (keys.length === 0)
    return (
      <Empty icon="key" title="No keys yet">
        <p>Programs send a key with each request, in the header x-api-key.</p>
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {keys.toReversed().map((key) => (
          <KeyLine
            key={key.id}
            one={key}
            all={all}
            onRevoke={() => setEnding(key)}
          />
        ))}
      </ul>
      {ending && (
        <RevokeKey
          one={ending}
          onRevoked={onChange}
          onClose={() => setEnding(null)}
        />
      )}
    </>
  );
}

function KeyLine({
  one,
  all,
  onRevoke,
}: {
  one: KeyInfo;
  all: string[];
  onRevoke: () => void;
}) {
  const isOver =
    one.expiresAt !== null && Date.parse(one.expiresAt) < Date.now();
  const isGood = one.revokedAt === null && !isOver;
  return (
    <li class={`line key ${isGood ? "" : "over"}`}>
      <div class="words">
        <strong>{one.name}</strong>
        <code class="muted">{one.prefix}…</code>
        <span class="muted small">{scopeWords(one.scopes, all)}</span>
      </div>
      <div class="words muted small">
        <span>Made {dayOf(one.createdAt)}</span>
        <span>
          {one.lastUsedAt ? `Used ${agoOf(one.lastUsedAt)}` : "Never used"}
        </span>
        {one.expiresAt && <span>Ends {dayOf(one.expiresAt)}</span>}
      </div>
      <div class="row files">
        {one.revokedAt !== null && <span class="badge bad">Revoked</span>}
        {isOver && one.revokedAt === null && (
          <span class="badge warn">Expired</span>
        )}
        {isGood && (
          <Button label={`Revoke ${one.name}`} onPress={onRevoke}>
            Revoke
          </Button>
        )}
      </div>
    </li>
  );
}

function scopeWords(scopes: string[], all: string[]): string {
  return scopes.length === all.length ? "Everything" : scopes.join(", ");
}
