import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { me, may } from "../../me.js";
import type { Connection } from "../../pages/connections/connection-line.js";
import { readTargets, type Target } from "../../pages/connections/targets.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault, Notice } from "../../ui/notice.js";
import { Why } from "../../ui/why.js";
import { type Choice, proceed } from "../choice.js";
import { NewAccess } from "../new-access.js";
import { Pick } from "../pick.js";

interface Opened {
  connections: Connection[];
  targets: Target[];
}

async function open(): Promise<Opened> {
  const at = "connections?kind=platform&page=1&pageSize=100";
  const [{ data }, targets] = await Promise.all([
    askPublic<{ data: Connection[] }>(at),
    readTargets(),
  ]);
  return {
    connections: data,
    targets: targets.filter(({ kind }) => kind === "platform"),
  };
}

/** An access that is there, or a new one, which is tried at once. */
export function ConnectStep({ choice }: { choice: Choice }) {
  const { data, fault, reload } = useResource("connect", open);
  if (data)
    return (
      <div class="stack">
        <PlanNotice />
        <Accesses opened={data} choice={choice} />
      </div>
    );
  if (fault === null) return <Bones count={3} />;
  return (
    <Fault
      what="The connections could not be read"
      why={fault}
      onRetry={reload}
    />
  );
}

const plans = ["premium", "enterprise"];

function PlanNotice() {
  const plan = me.value?.organization.plan ?? "";
  if (plans.includes(plan)) return null;
  return (
    <Notice tone="warn" title="Buttons need the plan premium or enterprise">
      <p>
        Your organization has the plan {plan}. You can look at everything here,
        but no button will be made.
      </p>
    </Notice>
  );
}

function use(connection: string): void {
  proceed("table", { connection });
}

function Accesses({ opened, choice }: { opened: Opened; choice: Choice }) {
  const { connections, targets } = opened;
  const [isAsked, setAsked] = useState(false);
  const isMaking = isAsked || (connections.length === 0 && may("owner"));
  return (
    <>
      {connections.length > 0 && (
        <ul class="card picks" aria-label="Connections">
          {connections.map((one) => (
            <li key={one.id}>
              <Access {...{ one, targets, choice }} onUse={use} />
            </li>
          ))}
        </ul>
      )}
      {isMaking && (
        <NewAccess
          targets={targets}
          onMade={use}
          {...(connections.length > 0 && { onClose: () => setAsked(false) })}
        />
      )}
      {!isMaking && may("owner") && (
        <div>
          <Button onPress={() => setAsked(true)}>
            <Icon name="plus" />
            Connect something else
          </Button>
        </div>
      )}
      {connections.length === 0 && !may("owner") && <AskAnOwner />}
    </>
  );
}

function AskAnOwner() {
  return (
    <Empty icon="connections" title="Nothing is connected yet">
      <p>An owner of your organization can connect a spreadsheet.</p>
    </Empty>
  );
}

interface AccessProps {
  one: Connection;
  targets: Target[];
  choice: Choice;
  onUse: (id: string) => void;
}

function Access({ one, targets, choice, onUse }: AccessProps) {
  const title = targets.find(({ id }) => id === one.platform)?.title;
  const error = one.problem ?? one.lastError;
  return (
    <>
      <Pick
        title={one.name}
        isChosen={one.id === choice.connection}
        badge={
          error === null ? null : (
            <span class="badge bad">
              <span class="dot" />
              Does not work
            </span>
          )
        }
        onPick={() => onUse(one.id)}
      >
        <span class="muted small">{title ?? one.platform}</span>
      </Pick>
      {error !== null && (
        <div class="pick-why">
          <Why error={error} />
        </div>
      )}
    </>
  );
}
