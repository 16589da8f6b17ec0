import type { ProjectData } from "../../../../../../core/plugin-api/definition.js";
import { Bones } from "../../ui/loading.js";
import { Notice } from "../../ui/notice.js";
import { EmailPrint } from "../preview/email-print.js";
import { PdfPages } from "../preview/pdf-pages.js";
import { usePrint } from "../preview/use-print.js";
import "../preview/preview.css";

interface VersionPrintsProps {
  templateType: "document" | "email";
  before: ProjectData;
  after: ProjectData;
  names: readonly [string, string];
}

/** Both as the service prints them with their own samples, side by side. */
export function VersionPrints(props: VersionPrintsProps) {
  const { templateType, before, after, names } = props;
  return (
    <div class="version-prints">
      <OnePrint
        name={names[0]}
        templateType={templateType}
        definition={before}
      />
      <OnePrint
        name={names[1]}
        templateType={templateType}
        definition={after}
      />
    </div>
  );
}

const emailWidth = 600;

interface OnePrintProps {
  name: string;
  templateType: "document" | "email";
  definition: ProjectData;
}

function OnePrint({ name, templateType, definition }: OnePrintProps) {
  const isEmail = templateType === "email";
  const { file, fault } = usePrint({
    templateType,
    definition,
    ...(isEmail && { format: "png", widthPx: emailWidth }),
  });
  return (
    <section class="version-print" aria-label={name}>
      <h3 class="muted small">{name}</h3>
      {fault !== null && (
        <Notice tone="bad" title="It cannot be printed">
          <p>{fault.why}</p>
        </Notice>
      )}
      {!file && fault === null && <Bones count={3} />}
      {file &&
        (isEmail ? (
          <EmailPrint file={file} width={emailWidth} />
        ) : (
          <PdfPages file={file} />
        ))}
    </section>
  );
}
