import { eventWords } from "./event-words.js";
import type { Webhook } from "./webhook-line.js";

/** An endpoint, as the form has it. */
export interface WebhookOrder {
  url: string;
  description: string;
  events: readonly string[];
}

export function firstWebhookOrder(): WebhookOrder {
  return { url: "", description: "", events: eventWords.map(([one]) => one) };
}

export function orderOf(hook: Webhook): WebhookOrder {
  const { url, description, events } = hook;
  return { url, description: description ?? "", events };
}

/** The request's body. */
export function bodyOf({ url, description, events }: WebhookOrder) {
  return {
    url: url.trim(),
    description: description.trim() === "" ? null : description.trim(),
    events,
  };
}

interface WebhookFieldsProps {
  order: WebhookOrder;
  onChange: (patch: Partial<WebhookOrder>) => void;
}

export function WebhookFields({ order, onChange }: WebhookFieldsProps) {
  return (
    <>
      <div class="field">
        <label for="webhook-url">Address</label>
        <input
          id="webhook-url"
          class="input"
          type="url"
          required
          maxLength={2048}
          placeholder="https://shop.example.com/platen"
          value={order.url}
          onInput={(event) => onChange({ url: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="webhook-description">What it is for</label>
        <input
          id="webhook-description"
          class="input"
          maxLength={500}
          value={order.description}
          onInput={(event) =>
            onChange({ description: event.currentTarget.value })
          }
        />
      </div>
      <Events
        chosen={order.events}
        onChoose={(events) => onChange({ events })}
      />
    </>
  );
}

function Events({
  chosen,
  onChoose,
}: {
  chosen: readonly string[];
  onChoose: (events: string[]) => void;
}) {
  const turn = (type: string) =>
    onChoose(
      chosen.includes(type)
        ? chosen.filter((one) => one !== type)
        : [...chosen, type],
    );
  return (
    <fieldset class="scopes">
      <legend class="small">It is told when</legend>
      {eventWords.map(([type, words]) => (
        <label class="check" key={type}>
          <input
            type="checkbox"
            value={type}
            checked={chosen.includes(type)}
            onChange={() => turn(type)}
          />
          <span class="words">
            {words}
            <code class="muted small">{type}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
