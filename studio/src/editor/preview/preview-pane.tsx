import type { RecentPayload } from "../../../../core/documents/views.js";
import type { Signal } from "@preact/signals";
import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
import { useEffect, useState, useId } from "preact/hooks";
import { ask, Refusal, wordsOf } from "../../api.js";
import { agoOf } from "../../format.js";
import { may } from "../../session.js";
import { useResource } from "../../resource.js";
import { Skeleton } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { Select } from "../../ui/select.js";
import { Notice } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import { useStoredSetting } from "../stored-setting.js";
import { listSamples } from "../fields/make-sample.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
import type { DraftSession } from "../session/draft-session.js";
import { ProblemList } from "../session/publish-dialog.js";
import {
  EmailPrint,
  PdfPages,
  type Print,
  usePrint,
  type RenderError,
} from "./print.js";
import "./preview.css";
import { t } from "../../messages/index.js";

const firstWidth = 420;
const readers = { desktop: 700, phone: 390 } as const;
type Reader = keyof typeof readers;

const readerLabels: [Reader, string][] = [
  ["desktop", t("common.desktop")],
  ["phone", t("common.phone")],
];

interface PreviewPaneProps {
  session: DraftSession;
  onClose: () => void;
}

/** The template as the server renders it, updated shortly after each change. */
export function PreviewPane({ session, onClose }: PreviewPaneProps) {
  const { editor } = session;
  const { templateId, name } = session.view.value;
  const isEmail = editor.templateType === "email";
  const [record, setRecord] = useState({ at: "", data: undefined as unknown });
  const reader = useStoredSetting<Reader>("reader", "desktop");
  const isDark = useStoredSetting<boolean>("dark-inbox", false);
  const width = useStoredSetting("preview-width", firstWidth);
  const print = usePrint({
    templateType: editor.templateType,
    definition: editor.sampled.value,
    ...(record.at !== "" && { data: record.data }),
    ...(isEmail && {
      format: "png",
      widthPx: readers[reader.value],
      isDark: isDark.value,
    }),
  });
  return (
    <aside
      class="preview"
      aria-label={t("common.preview")}
      style={{ "--preview-width": `${clampWidth(width.value)}px` }}
    >
      <PaneEdge width={width} />
      <header class="preview-bar">
        {isEmail && (
          <>
            <Choices
              legend={t("preview.widthOfWindow")}
              options={readerLabels}
              value={reader.value}
              onChoose={(chosen) => {
                reader.value = chosen;
              }}
            />
            <Button
              kind="quiet"
              label={t("preview.darkMode")}
              pressed={isDark.value}
              isIcon
              onPress={() => {
                isDark.value = !isDark.value;
              }}
            >
              <Icon name="moon" size={18} />
            </Button>
          </>
        )}
        <RecordChoice
          templateId={templateId}
          chosen={record.at}
          onChoose={(at, data) => setRecord({ at, data })}
        />
        {isEmail && may("editor") && (
          <SendTest editor={editor} data={record.data} />
        )}
        <span class="preview-end">
          {print.isWaiting && (
            <span class="preview-wait muted" role="status">
              <span class="spinner" aria-hidden="true" />
              <span class="hidden-text">{t("common.rendering")}</span>
            </span>
          )}
          <FileLinks file={print.file} name={name} isEmail={isEmail} />
          <Button
            isIcon
            kind="quiet"
            label={t("preview.closePreview")}
            onPress={onClose}
          >
            <Icon name="close" size={18} />
          </Button>
        </span>
      </header>
      <Paper
        print={print}
        width={isEmail ? readers[reader.value] : null}
        isDark={isEmail && isDark.value}
      />
    </aside>
  );
}

interface PaperProps {
  print: Print;
  /** The width of the email's window; null for a document. */
  width: number | null;
  isDark: boolean;
}

function Paper({ print, width, isDark }: PaperProps) {
  const { file, fault, isWaiting } = print;
  const outdated = fault !== null ? "old-print" : isWaiting ? "late-print" : "";
  return (
    <div
      class={`preview-paper ${isDark ? "dark" : ""}`}
      tabIndex={0}
      aria-label={t("preview.printedPages")}
    >
      {isDark && <p class="dark-note">{t("preview.darkModeNote")}</p>}
      {fault !== null && <PreviewError {...fault} />}
      {file === null && fault === null && <Skeleton count={3} />}
      {file && (
        <div class={outdated}>
          {width === null ? (
            <PdfPages file={file} />
          ) : (
            <EmailPrint file={file} width={width} />
          )}
        </div>
      )}
    </div>
  );
}

interface SendTestProps {
  editor: Editor;
  /** The chosen record; undefined for the sample. */
  data: unknown;
}

/** Sends the email as it is now to the person's own address. */
function SendTest({ editor, data }: SendTestProps) {
  const [isBusy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    try {
      const definition = editor.definition.peek();
      const body = { definition, ...(data !== undefined && { data }) };
      const { address } = await ask<{ address: string }>(
        "drafts/send-test",
        "POST",
        body,
      );
      toast(t("preview.testSent", { address }));
    } catch (error) {
      const isOff = error instanceof Refusal && error.status === 409;
      toast(
        isOff
          ? t("preview.mailIsOff")
          : t("preview.testNotSent", { reason: wordsOf(error) }),
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      kind="quiet"
      isIcon
      isBusy={isBusy}
      label={t("preview.sendTest")}
      onPress={press}
    >
      {!isBusy && <Icon name="mail" size={18} />}
    </Button>
  );
}

interface FileLinksProps {
  file: Blob | null;
  name: string;
  isEmail: boolean;
}

function FileLinks({ file, name, isEmail }: FileLinksProps) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (url === null) return null;
  const ending = isEmail ? "png" : "pdf";
  return (
    <>
      <a
        class="button quiet icon"
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-label={t("preview.openFile")}
        title={t("preview.openFile")}
      >
        <Icon name="open" size={18} />
      </a>
      <a
        class="button quiet icon"
        href={url}
        download={`${name}.${ending}`}
        aria-label={t("preview.downloadFile")}
        title={t("preview.downloadFile")}
      >
        <Icon name="download" size={18} />
      </a>
    </>
  );
}

interface RecordChoiceProps {
  templateId: string;
  /** The time of the chosen record; "" for the sample. */
  chosen: string;
  onChoose: (at: string, data: unknown) => void;
}

/** A select for the preview's data: a sample, which the page shows too, or that of recent documents. */
function RecordChoice({ templateId, chosen, onChoose }: RecordChoiceProps) {
  const id = useId();
  const payloads = useResource(templateId, () => recent(templateId));
  const list = payloads.data ?? [];
  const editor = useEditor();
  const samples = listSamples(editor.definition.value);
  const choose = (at: string) => {
    const payload = list.find((candidate) => candidate.at === at);
    onChoose(payload ? at : "", payload?.data);
    if (!payload) editor.sampleName.value = at === "" ? null : at;
  };
  return (
    <span class="record-choice">
      <label class="hidden-text" for={id}>
        {t("preview.dataForPreview")}
      </label>
      <Select
        id={id}
        isLarge
        value={chosen === "" ? (editor.sampleName.value ?? "") : chosen}
        options={[
          ...samples,
          ...list.map(({ at, source }): [string, string] => [
            at,
            `${source === "batch" ? t("preview.batch") : t("common.document")}, ${agoOf(at)}`,
          ]),
        ]}
        none={t("fields.mainSample")}
        onChange={(at = "") => choose(at)}
      />
    </span>
  );
}

async function recent(templateId: string): Promise<RecentPayload[]> {
  if (!may("editor")) return [];
  const at = `drafts/${templateId}/payloads`;
  return (await ask<{ payloads: RecentPayload[] }>(at)).payloads;
}

/** Why there is no preview: the validation problems, else the renderer's error. */
function PreviewError({ why, isTemplateError, isRetried }: RenderError) {
  const problems = useEditor().facts.value?.problems ?? [];
  if (!isTemplateError)
    return (
      <Notice tone="warn" title={t("preview.previewUnavailable")}>
        <p>{why}</p>
        {isRetried && <p role="status">{t("preview.retriesAutomatically")}</p>}
      </Notice>
    );
  return (
    <Notice tone="bad" title={t("preview.couldntRender")}>
      {problems.length > 0 ? (
        <ProblemList problems={problems} />
      ) : (
        <MergeError why={why} />
      )}
    </Notice>
  );
}

/** A merge error starts with its path: `$.components[2].text: …`. */
function MergeError({ why }: { why: string }) {
  const [, path, message] =
    /^(\$(?:\.[\w-]+|\[\d+\])+): (.*)$/s.exec(why) ?? [];
  if (path === undefined || message === undefined) return <p>{why}</p>;
  return <ProblemList problems={[{ path, message, code: "merge" }]} />;
}

const minWidth = 260;
const keyboardStep = 32;

/** Leaves enough space for the page beside it. */
function getMaxWidth(): number {
  return Math.max(minWidth, innerWidth * 0.55);
}

function clampWidth(width: number): number {
  return Math.round(Math.min(getMaxWidth(), Math.max(minWidth, width)));
}

/** The edge of the pane, moved by dragging or with the arrow keys. */
function PaneEdge({ width }: { width: Signal<number> }) {
  const { value } = width;
  const resize = (next: number) => {
    width.value = clampWidth(next);
  };
  const drag = (event: TargetedPointerEvent<HTMLDivElement>) => {
    const edge = event.currentTarget;
    const from = event.clientX;
    edge.setPointerCapture(event.pointerId);
    const move = (to: PointerEvent) => resize(value + from - to.clientX);
    edge.addEventListener("pointermove", move);
    edge.addEventListener(
      "lostpointercapture",
      () => edge.removeEventListener("pointermove", move),
      { once: true },
    );
  };
  const press = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowLeft: keyboardStep, ArrowRight: -keyboardStep }[
      event.key
    ];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    resize(value + by);
  };
  return (
    <div
      class="resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={t("preview.widthOfPreview")}
      aria-valuenow={value}
      aria-valuemin={minWidth}
      aria-valuemax={Math.round(getMaxWidth())}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
