import { momentOf, numberOf } from "../../format.js";

export interface Attempt {
  number: number;
  url: string;
  outcome: "delivered" | "refused" | "unreachable";
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  createdAt: string;
}

const words: Record<Attempt["outcome"], [tone: string, said: string]> = {
  delivered: ["good", "Delivered"],
  refused: ["bad", "Refused"],
  unreachable: ["bad", "Not reached"],
};

/** One time that a message was sent, and what was answered. */
export function AttemptLine({ attempt }: { attempt: Attempt }) {
  const { number, url, outcome, responseStatus, responseBody, error } = attempt;
  const [tone, said] = words[outcome];
  return (
    <li class="attempt">
      <div class="row">
        <span class={`badge ${tone}`}>{said}</span>
        {responseStatus !== null && <strong>{responseStatus}</strong>}
        <span class="muted small">
          No. {number}, {momentOf(attempt.createdAt)},{" "}
          {numberOf(attempt.durationMs)} ms
        </span>
      </div>
      <code class="muted small address">{url}</code>
      {error !== null && <p class="why">{error}</p>}
      {responseBody !== null && responseBody !== "" && (
        <pre class="told" tabIndex={0}>
          {responseBody}
        </pre>
      )}
    </li>
  );
}
