import { useState } from "preact/hooks";
import { agoOf, momentOf } from "../../format.js";
import { may } from "../../me.js";
import { Why } from "../../ui/why.js";
import { ConnectionActions } from "./connection-actions.js";
import type { Target } from "./targets.js";

type State = "untested" | "working" | "failing";

export interface Connection {
  id: string;
  kind: "platform" | "esign";
  platform: string | null;
  provider: string | null;
  name: string;
  /** What is no secret of them. */
  credentials: Record<string, unknown>;
  state: State;
  lastError: string | null;
  lastCheckedAt: string | null;
  /** Why it cannot be used at all now. */
  problem: string | null;
}

const words: Record<State, [tone: string, said: string]> = {
  untested: ["", "Not tested"],
  working: ["good", "Works"],
  failing: ["bad", "Does not work"],
};

interface ConnectionLineProps {
  one: Connection;
  targets: Target[];
  onChange: () => Promise<void>;
}

/** A connection in the list: to what, and whether it works. */
export function ConnectionLine(props: ConnectionLineProps) {
  const { one, targets, onChange } = props;
  const [warnings, setWarnings] = useState<string[]>([]);
  const error = one.problem ?? one.lastError;
  return (
    <li class="line connection">
      <div class="words">
        <strong>{one.name}</strong>
        <span class="muted small">
          {targetOf(one, targets)?.title ?? one.platform ?? one.provider}
          {one.lastCheckedAt !== null && (
            <span title={momentOf(one.lastCheckedAt)}>
              , tested {agoOf(one.lastCheckedAt)}
            </span>
          )}
        </span>
      </div>
      <div class="row">
        <ConnectionState one={one} />
      </div>
      <div class="row files">
        {may("owner") && (
          <ConnectionActions
            one={one}
            schema={targetOf(one, targets)?.credentials ?? null}
            onChange={onChange}
            onWarn={setWarnings}
          />
        )}
      </div>
      {error !== null && <Why error={error} />}
      {warnings.map((warning) => (
        <p class="why warns" key={warning}>
          {warning}
        </p>
      ))}
    </li>
  );
}

function ConnectionState({ one }: { one: Connection }) {
  const [tone, said] =
    one.problem === null ? words[one.state] : ["bad", "Cannot be used"];
  return (
    <span class={`badge ${tone}`}>
      <span class="dot" />
      {said}
    </span>
  );
}

function targetOf({ platform, provider }: Connection, targets: Target[]) {
  const id = platform ?? provider;
  return targets.find((target) => target.id === id);
}
