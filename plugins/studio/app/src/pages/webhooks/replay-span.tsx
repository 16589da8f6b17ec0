import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { countOf } from "../../format.js";
import { Choices } from "../../ui/choices.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { FormEnd } from "../../ui/form-end.js";
import { toast } from "../../ui/toast.js";

interface ReplaySpanProps {
  /** The endpoint's. */
  id: string;
  onReplayed: () => Promise<void>;
  onClose: () => void;
}

type Which = "exhausted" | "delivered" | "all";

/** Times as their fields have them. */
interface Span {
  from: string;
  /** Empty: now. */
  until: string;
  status: Which;
}

const which: [Which, string][] = [
  ["exhausted", "Given up"],
  ["delivered", "Delivered"],
  ["all", "Both"],
];

const dayMs = 86_400_000;

/** Sends the messages of a time again, as after an outage of whoever receives them. */
export function ReplaySpan({ id, onReplayed, onClose }: ReplaySpanProps) {
  const [span, setSpan] = useState<Span>(() => ({
    from: clockOf(Date.now() - dayMs),
    until: "",
    status: "exhausted",
  }));
  const { isBusy, fault, run } = useAction(async () => {
    const at = `webhooks/${id}/replay`;
    const { count } = await askPublic<{ count: number }>(
      at,
      "POST",
      bodyOf(span),
    );
    toast(`${countOf(count, "message")} on the way again.`);
    await onReplayed();
    onClose();
  });
  return (
    <Dialog title="Send messages again" onClose={onClose}>
      <Form onSend={run}>
        <SpanFields span={span} onChange={setSpan} />
        <FormEnd
          act="Send them again"
          fault={fault}
          isBusy={isBusy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** As the public API takes it. */
function bodyOf({ from, until, status }: Span) {
  return {
    since: new Date(from).toISOString(),
    ...(until !== "" && { until: new Date(until).toISOString() }),
    ...(status !== "all" && { status }),
  };
}

interface SpanFieldsProps {
  span: Span;
  onChange: (span: Span) => void;
}

function SpanFields({ span, onChange }: SpanFieldsProps) {
  const { from, until, status } = span;
  return (
    <>
      <div class="moments">
        <Moment
          words="From"
          value={from}
          isRequired
          onChange={(value) => onChange({ ...span, from: value })}
        />
        <Moment
          words="To"
          hint="Empty: until now."
          value={until}
          onChange={(value) => onChange({ ...span, until: value })}
        />
      </div>
      <div class="field">
        <span class="label">Those that were</span>
        <Choices
          legend="Those that were"
          options={which}
          value={status}
          onChoose={(value) => onChange({ ...span, status: value })}
        />
      </div>
      <p class="muted small">
        Each keeps its id, so that a program that had it already can tell.
      </p>
    </>
  );
}

interface MomentProps {
  words: string;
  hint?: string;
  value: string;
  isRequired?: boolean;
  onChange: (value: string) => void;
}

function Moment(props: MomentProps) {
  const { words, hint, value, isRequired = false, onChange } = props;
  return (
    <label class="field">
      <span class="label">{words}</span>
      <input
        class="input"
        type="datetime-local"
        required={isRequired}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {hint !== undefined && <span class="hint">{hint}</span>}
    </label>
  );
}

/** As a field of date and time has it: by the person's clock, such as `2026-07-31T09:30`. */
function clockOf(time: number): string {
  const offsetMs = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offsetMs).toISOString().slice(0, 16);
}
