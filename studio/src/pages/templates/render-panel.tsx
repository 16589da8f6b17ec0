import { useEffect, useId, useState } from "preact/hooks";
import { Form, useAction, LabeledChoices } from "../../ui/form.js";
import { askPublic, local, wordsOf, type Schemas } from "../../api.js";
import { sizeOf } from "../../format.js";
import { may } from "../../session.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import { t } from "../../messages/index.js";
import { rich } from "../../messages/rich.js";
import type { Template } from "./templates.js";

interface RenderPanelProps {
  template: Template;
  /** The version to render; null renders the current template. */
  version: number | null;
  onLive: () => void;
}

/** Renders the template with its sample or with JSON that is entered here. */
export function RenderPanel(props: RenderPanelProps) {
  if (may("editor")) return <RenderForm {...props} />;
  return (
    <Notice title={t("render.youHaveReadOnlyAccess")}>
      <p>{t("render.readOnlyHelp")}</p>
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
        <Notice title={t("render.tryingVersionVersion", { version })}>
          <Button onPress={onLive}>{t("render.useCurrentTemplate")}</Button>
        </Notice>
      )}
      <RenderFields
        template={template}
        order={order}
        onChange={(patch) => setOrder({ ...order, ...patch })}
      />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {isBusy ? t("render.creatingDocument") : t("render.createDocument")}
      </Button>
      <div aria-live="polite">
        {made && <RenderResult {...made} name={template.name} />}
        {fault && (
          <Notice tone="bad" title={t("render.couldntCreateDocument")}>
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
  ["sample", t("preview.sample")],
  ["own", t("render.customJson")],
];

function RenderFields({ template, order, onChange }: RenderFieldsProps) {
  return (
    <>
      <LabeledChoices
        label={t("common.data")}
        options={sources}
        value={order.source}
        onChoose={(source) => onChange({ source })}
      />
      {order.source === "own" && (
        <DataField order={order} onChange={onChange} />
      )}
      <LabeledChoices
        label={t("common.format")}
        options={formatsOf(template)}
        value={order.format}
        onChoose={(format) => onChange({ format })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={order.isTest}
          onChange={({ currentTarget }) =>
            onChange({ isTest: currentTarget.checked })
          }
        />
        <span>
          {rich("render.test", {
            span: (text) => <span class="muted">{text}</span>,
          })}
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
      <label for={id}>{t("render.dataJson")}</label>
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

type Format = "pdf" | "html" | "image" | "mjml" | "xml";

/** Values of the form. */
interface RenderOrder {
  source: "sample" | "own";
  /** The JSON text, possibly incomplete. */
  text: string;
  format: Format;
  isTest: boolean;
}

const ofDocuments: [Format, string][] = [
  ["pdf", "PDF"],
  ["html", "HTML"],
  ["image", t("common.image")],
];
const ofEmails: [Format, string][] = [
  ["html", "HTML"],
  ["mjml", "MJML"],
  ["image", t("common.image")],
  ["pdf", "PDF"],
];

/** The default format is first. */
function formatsOf({ templateType, definition }: Template): [Format, string][] {
  if (templateType === "email") return ofEmails;
  return definition.einvoice === undefined
    ? ofDocuments
    : [...ofDocuments, ["xml", "XML"]];
}

function firstOrder(template: Template): RenderOrder {
  return {
    source: "sample",
    text: JSON.stringify(template.definition.sample ?? {}, null, 2),
    format: formatsOf(template)[0]?.[0] ?? "pdf",
    isTest: true,
  };
}

/** Converts the form to the body of the request. */
function bodyOf(
  { id, definition }: Template,
  { source, text, format, isTest }: RenderOrder,
  version: number | null,
): Record<string, unknown> {
  const parseData = (): unknown => JSON.parse(text);
  return {
    templateId: id,
    data: source === "own" ? parseData() : (definition.sample ?? {}),
    formats: [format],
    isTest,
    ...(version !== null && { templateVersion: version }),
  };
}

/** The error of the entered data; null when it is a JSON object. */
function dataFault({ source, text }: RenderOrder): string | null {
  if (source === "sample") return null;
  try {
    const value: unknown = JSON.parse(text);
    const isRecord =
      typeof value === "object" && value !== null && !Array.isArray(value);
    return isRecord ? null : t("render.dataMustBeJsonObject");
  } catch (error) {
    return t("render.thisIsntValidJsonYet", { error: wordsOf(error) });
  }
}

interface StoredFile {
  url: string;
  sizeBytes: number;
  filename: string;
}

/** Response of `POST /api/export`, by format. */
type Exported = Schemas["ExportResult"];

interface RenderResultProps {
  result: Exported;
  format: Format;
  /** The template's. */
  name: string;
}

function RenderResult({ result, format, name }: RenderResultProps) {
  const file = result.pdf ?? result.image ?? result.xml;
  const text = result.html?.htmlDocument ?? result.mjml?.mjmlDocument;
  return (
    <div class="result">
      <Notice tone="good" title={t("render.documentCreated")}>
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
          {t("common.open")}
        </a>
        <a class="button" href={url} download={file.filename}>
          <Icon name="download" />
          {t("render.download")}
        </a>
      </span>
    </div>
  );
}

/** A document that was returned as text, offered as a download. */
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
        {t("render.download")}
      </a>
    </div>
  );
}
