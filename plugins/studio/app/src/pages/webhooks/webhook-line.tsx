import { agoOf } from "../../format.js";
import { Link } from "../../link.js";
import { eventWords } from "./event-words.js";

export interface Webhook {
  id: string;
  url: string;
  description: string | null;
  events: string[];
  isEnabled: boolean;
  disabledReason: string | null;
  failingSince: string | null;
  previousSecretUntil: string | null;
  createdAt: string;
}

/** An endpoint in the list. */
export function WebhookLine({ hook }: { hook: Webhook }) {
  return (
    <li class={`line ${hook.isEnabled ? "" : "over"}`}>
      <div class="words">
        <Link class="strong" to={`webhooks/${hook.id}`}>
          {hook.description || hook.url}
        </Link>
        {hook.description && <code class="muted">{hook.url}</code>}
        <span class="muted small">{eventsOf(hook)}</span>
      </div>
      <WebhookState hook={hook} />
    </li>
  );
}

/** In a word, how an endpoint is. */
export function WebhookState({ hook }: { hook: Webhook }) {
  const { isEnabled, failingSince } = hook;
  if (!isEnabled) return <span class="badge warn">Disabled</span>;
  if (failingSince !== null)
    return <span class="badge bad">Failing since {agoOf(failingSince)}</span>;
  return (
    <span class="badge good">
      <span class="dot" />
      Enabled
    </span>
  );
}

/** Which events it gets, as people call them. */
export function eventsOf({ events }: Webhook): string {
  if (eventWords.every(([type]) => events.includes(type))) return "Everything";
  const words = new Map(eventWords);
  return events.map((type) => words.get(type) ?? type).join(", ");
}
