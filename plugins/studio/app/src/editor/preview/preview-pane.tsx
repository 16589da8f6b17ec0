import "./preview.css";
import type { Signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Bones } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { useKept } from "../kept-choice.js";
import type { DraftSession } from "../session/draft-session.js";
import { EmailPrint } from "./email-print.js";
import { clampWidth, PaneEdge } from "./pane-width.js";
import { PdfPages } from "./pdf-pages.js";
import { PrintFault } from "./print-fault.js";
import { RecordChoice } from "./record-choice.js";
import { type Print, usePrint } from "./use-print.js";

const firstWidth = 420;
const readers = { desktop: 700, phone: 390 } as const;
type Reader = keyof typeof readers;

const readerWords: [Reader, string][] = [
  ["desktop", "Desktop"],
  ["phone", "Phone"],
];

interface PreviewPaneProps {
  session: DraftSession;
  onClose: () => void;
}

/** The template as the service really prints it, beside the page; it follows every change a moment later. */
export function PreviewPane({ session, onClose }: PreviewPaneProps) {
  const { editor } = session;
  const { templateId, name } = session.view.value;
  const isEmail = editor.templateType === "email";
  const [record, setRecord] = useState({ at: "", data: undefined as unknown });
  const reader = useKept<Reader>("reader", "desktop");
  const isDark = useKept("dark-inbox", false);
  const width = useKept("preview-width", firstWidth);
  const print = usePrint({
    templateType: editor.templateType,
    definition: editor.definition.value,
    ...(record.at !== "" && { data: record.data }),
    ...(isEmail && { format: "png", widthPx: readers[reader.value] }),
  });
  return (
    <aside
      class="preview"
      aria-label="Preview"
      style={{ "--preview-width": `${clampWidth(width.value)}px` }}
    >
      <PaneEdge width={width} />
      <header class="preview-bar">
        {isEmail && <ReaderChoice reader={reader} />}
        {isEmail && <GroundSwitch isDark={isDark} />}
        <RecordChoice
          templateId={templateId}
          chosen={record.at}
          onChoose={(at, data) => setRecord({ at, data })}
        />
        <PaneEnd {...{ print, name, isEmail, onClose }} />
      </header>
      <Paper
        print={print}
        width={isEmail ? readers[reader.value] : null}
        isDark={isEmail && isDark.value}
      />
    </aside>
  );
}

interface PaneEndProps {
  print: Print;
  name: string;
  isEmail: boolean;
  onClose: () => void;
}

function PaneEnd({ print, name, isEmail, onClose }: PaneEndProps) {
  return (
    <span class="preview-end">
      {print.isWaiting && <Waiting />}
      <FileLinks file={print.file} name={name} isEmail={isEmail} />
      <Button isIcon kind="quiet" label="Close the preview" onPress={onClose}>
        <Icon name="close" size={18} />
      </Button>
    </span>
  );
}

function Waiting() {
  return (
    <span class="preview-wait muted" role="status">
      <span class="spinner" aria-hidden="true" />
      <span class="hidden-text">Printing</span>
    </span>
  );
}

function ReaderChoice({ reader }: { reader: Signal<Reader> }) {
  return (
    <Choices
      legend="Width of the window"
      options={readerWords}
      value={reader.value}
      onChoose={(one) => {
        reader.value = one;
      }}
    />
  );
}

/** Around the email, as in an inbox at night. */
function GroundSwitch({ isDark }: { isDark: Signal<boolean> }) {
  return (
    <Button
      kind="quiet"
      label="On a dark ground"
      pressed={isDark.value}
      isIcon
      onPress={() => {
        isDark.value = !isDark.value;
      }}
    >
      <Icon name="moon" size={18} />
    </Button>
  );
}

interface PaperProps {
  print: Print;
  /** Of an email's window; null for a document. */
  width: number | null;
  isDark: boolean;
}

function Paper({ print, width, isDark }: PaperProps) {
  const { file, fault } = print;
  return (
    <div
      class={`preview-paper ${isDark ? "dark" : ""}`}
      tabIndex={0}
      aria-label="Printed pages"
    >
      {fault !== null && <PrintFault {...fault} />}
      {file === null && fault === null && <Bones count={3} />}
      {file && (
        <div class={stateOf(print)}>
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

/** Whether what is shown is not the template as it is now. */
function stateOf({ isWaiting, fault }: Print): string {
  if (fault !== null) return "old-print";
  return isWaiting ? "late-print" : "";
}

interface FileLinksProps {
  file: Blob | null;
  name: string;
  isEmail: boolean;
}

/** The file itself, to be opened or kept. */
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
        aria-label="Open the print"
        title="Open the print"
      >
        <Icon name="open" size={18} />
      </a>
      <a
        class="button quiet icon"
        href={url}
        download={`${name}.${ending}`}
        aria-label="Download the print"
        title="Download the print"
      >
        <Icon name="download" size={18} />
      </a>
    </>
  );
}
