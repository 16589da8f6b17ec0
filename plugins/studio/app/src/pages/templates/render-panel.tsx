import { useState, useId, useEffect } from "preact/hooks";
import { useAction, Form } from "../../ui/form.js";
import { askPublic, wordsOf, local } from "../../api.js";
import { sizeOf } from "../../format.js";
import { may } from "../../session.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import type { Template } from "./template.js";

interface RenderPanelProps {
  template: Template;
  /** A snapshot to be tried; null: the template as it is now. */
  version: number | null;
  onLive: () => void;
}

/** Makes a document of the template, with its sample or with data that is typed here. */
export function RenderPanel(props: RenderPanelProps) {
  if (may("editor")) return <RenderForm {...props} />;
  return (
    <Notice title="You can look at this template">
      <p>
        Making documents takes the role editor. Ask an owner of your
        organization.
      </p>
    </Notice>
  );
}

interface Made {
  result: Exported;
  format: Format;
}

function RenderForm({ template, version, onLive }: RenderPanelProps) {
  const [order, setOrder] = useState(() => firstOrder(template));
  const [made, setMade] = useState<Made | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    if (dataFault(order) !== null) return;
    setMade(null);
    const body = bodyOf(template, order, version);
    const result = await askPublic<Exported>("export", "POST", body);
    setMade({ result, format: order.format });
  });
  return (
    <Form class="card padded stack" onSend={run}>
      {version !== null && (
        <Notice title={`This tries version ${version}`}>
          <Button onPress={onLive}>Try the template as it is now</Button>
        </Notice>
      )}
      <RenderFields
        template={template}
        order={order}
        onChange={(patch) => setOrder({ ...order, ...patch })}
      />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {isBusy ? "Making the document" : "Make the document"}
      </Button>
      <div aria-live="polite">
        {made && <RenderResult {...made} name={template.name} />}
        {fault && (
          <Notice tone="bad" title="The document was not made">
            <p>{fault}</p>
          </Notice>
        )}
      </div>
    </Form>
  );
}

interface RenderFieldsProps {
  template: Template;
  order: RenderOrder;
  onChange: (patch: Partial<RenderOrder>) => void;
}

const sources: [RenderOrder["source"], string][] = [
  ["sample", "Sample"],
  ["own", "Own JSON"],
];

/** With which data, into which format, and whether it counts. */
function RenderFields({ template, order, onChange }: RenderFieldsProps) {
  return (
    <>
      <div class="field">
        <span class="label">Data</span>
        <Choices
          legend="Data"
          options={sources}
          value={order.source}
          onChoose={(source) => onChange({ source })}
        />
      </div>
      {order.source === "own" && (
        <DataField order={order} onChange={onChange} />
      )}
      <div class="field">
        <span class="label">Format</span>
        <Choices
          legend="Format"
          options={formatsOf(template)}
          value={order.format}
          onChoose={(format) => onChange({ format })}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={order.isTest}
          onChange={({ currentTarget }) =>
            onChange({ isTest: currentTarget.checked })
          }
        />
        <span>
          Test <span class="muted">(with a watermark, counted nowhere)</span>
        </span>
      </label>
    </>
  );
}

function DataField({
  order,
  onChange,
}: Pick<RenderFieldsProps, "order" | "onChange">) {
  const id = useId();
  const fault = dataFault(order);
  return (
    <div class="field">
      <label for={id}>Record, as JSON</label>
      <textarea
        id={id}
        class="input code"
        spellcheck={false}
        value={order.text}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault`}
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
      <p class="fault" id={`${id}-fault`}>
        {fault}
      </p>
    </div>
  );
}

type Format = "pdf" | "html" | "image" | "mjml";

/** What is to be made, as the form has it. */
interface RenderOrder {
  source: "sample" | "own";
  /** JSON, as far as it was typed. */
  text: string;
  format: Format;
  isTest: boolean;
}

const ofDocuments: [Format, string][] = [
  ["pdf", "PDF"],
  ["html", "HTML"],
  ["image", "Picture"],
];
const ofEmails: [Format, string][] = [
  ["html", "HTML"],
  ["mjml", "MJML"],
  ["image", "Picture"],
  ["pdf", "PDF"],
];

/** What this template can be made into, the most usual first. */
function formatsOf({ templateType }: Template): [Format, string][] {
  return templateType === "email" ? ofEmails : ofDocuments;
}

function firstOrder(template: Template): RenderOrder {
  return {
    source: "sample",
    text: JSON.stringify(template.definition.sample ?? {}, null, 2),
    format: formatsOf(template)[0]?.[0] ?? "pdf",
    isTest: true,
  };
}

/** The request's body. */
function bodyOf(
  { id, definition }: Template,
  { source, text, format, isTest }: RenderOrder,
  version: number | null,
): Record<string, unknown> {
  const own = (): unknown => JSON.parse(text);
  return {
    templateId: id,
    data: source === "own" ? own() : (definition.sample ?? {}),
    formats: [format],
    isTest,
    ...(version !== null && { templateVersion: version }),
  };
}

/** Why the data is no record yet; null when it is one. */
function dataFault({ source, text }: RenderOrder): string | null {
  if (source === "sample") return null;
  try {
    const value: unknown = JSON.parse(text);
    const isRecord =
      typeof value === "object" && value !== null && !Array.isArray(value);
    return isRecord ? null : "A record is an object: { … }.";
  } catch (error) {
    return `This is no JSON yet. ${wordsOf(error)}`;
  }
}

interface StoredFile {
  url: string;
  sizeBytes: number;
  filename: string;
}

/** What the service answers, keyed by format. */
interface Exported {
  pdf?: StoredFile;
  image?: StoredFile;
  html?: { htmlDocument: string; sizeBytes: number };
  mjml?: { mjmlDocument: string; sizeBytes: number };
}

interface RenderResultProps {
  result: Exported;
  format: Format;
  /** The template's. */
  name: string;
}

function RenderResult({ result, format, name }: RenderResultProps) {
  const file = result.pdf ?? result.image;
  const text = result.html?.htmlDocument ?? result.mjml?.mjmlDocument;
  return (
    <div class="result">
      <Notice tone="good" title="The document is made">
        {file && <Stored file={file} />}
        {text !== undefined && (
          <Written text={text} filename={`${name}.${format}`} />
        )}
      </Notice>
    </div>
  );
}

function Stored({ file }: { file: StoredFile }) {
  const url = local(file.url);
  return (
    <div class="file">
      <span class="words">
        <span>{file.filename}</span>
        <span class="muted small">{sizeOf(file.sizeBytes)}</span>
      </span>
      <span class="row">
        <a class="button" href={url} target="_blank" rel="noreferrer">
          <Icon name="open" />
          Open
        </a>
        <a class="button" href={url} download={file.filename}>
          <Icon name="download" />
          Download
        </a>
      </span>
    </div>
  );
}

/** A document that came as text, and lies in the browser alone. */
function Written({ text, filename }: { text: string; filename: string }) {
  const [url, setUrl] = useState("");
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return (
    <div class="file">
      <span class="words">
        <span>{filename}</span>
        <span class="muted small">{sizeOf(new Blob([text]).size)}</span>
      </span>
      <a class="button" href={url} download={filename}>
        <Icon name="download" />
        Download
      </a>
    </div>
  );
}
