import type {
  DocumentLine as Line,
  DocumentStatus,
} from "../../../../../../core/plugin-api/app-lists.js";
import { local } from "../../api.js";
import { agoOf, momentOf, sizeOf } from "../../format.js";
import { Link } from "../../link.js";
import { Icon } from "../../ui/icon.js";
import { Why } from "../../ui/why.js";

const words: Record<DocumentStatus, [tone: string, said: string]> = {
  queued: ["", "Waiting"],
  rendering: ["info busy", "Being made"],
  succeeded: ["good", "Made"],
  failed: ["bad", "Failed"],
  expired: ["warn", "Expired"],
};

/** A document in the list: what it is, how it went, and its files while there are any. */
export function DocumentLine({ line }: { line: Line }) {
  const [tone, said] = words[line.status];
  const hasFiles = Date.parse(line.expiresAt) > Date.now();
  return (
    <li class="line document">
      <div class="words">
        <Link class="strong" to={`templates/${line.template.id}`}>
          {line.fileName ?? line.template.name}
        </Link>
        <span class="muted small" title={momentOf(line.createdAt)}>
          {line.fileName !== null && `${line.template.name}, `}
          {agoOf(line.createdAt)} by {line.createdBy}
        </span>
      </div>
      <div class="row">
        {line.isTest && <span class="badge">Test</span>}
        <span class={`badge ${tone}`}>
          <span class="dot" />
          {said}
        </span>
      </div>
      <div class="row files">
        {hasFiles &&
          line.outputs.map((output) => (
            <File output={output} key={output.label} />
          ))}
        {!hasFiles && line.status === "succeeded" && (
          <span class="muted small">Files deleted</span>
        )}
      </div>
      {line.error !== null && <Why error={line.error} />}
    </li>
  );
}

const labels: Record<string, string> = {
  pdf: "PDF",
  html: "HTML",
  image: "Picture",
  mjml: "MJML",
};

function File({ output }: { output: Line["outputs"][number] }) {
  const { label, url, sizeBytes } = output;
  return (
    <a
      class="button"
      href={local(url)}
      target="_blank"
      rel="noreferrer"
      title={sizeOf(sizeBytes)}
    >
      <Icon name="open" size={16} />
      {labels[label] ?? label}
    </a>
  );
}
