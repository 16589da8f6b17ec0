import { useEffect, useState } from "preact/hooks";
import { local } from "../../api.js";
import { sizeOf } from "../../format.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import type { Format } from "./render-order.js";

interface StoredFile {
  url: string;
  sizeBytes: number;
  filename: string;
}

/** What the service answers, keyed by format. */
export interface Exported {
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

export function RenderResult({ result, format, name }: RenderResultProps) {
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
