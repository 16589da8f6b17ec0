import { useEditor } from "../../model/editor.js";
import { BackgroundFields } from "./background-fields.js";
import { BandFields } from "./band-fields.js";
import { EmailFields } from "./email-fields.js";
import { FormatFields } from "./format-fields.js";
import { PaperFields } from "./paper-fields.js";
import { PdfFields } from "./pdf-fields.js";
import { SigningFields } from "./signing-fields.js";
import { WatermarkFields } from "./watermark-fields.js";

/** What holds for the template as a whole: shown while nothing on the page is selected. */
export function PagePanel() {
  const editor = useEditor();
  const isEmail = editor.templateType === "email";
  return (
    <div class="inspector">
      <header class="inspector-head">
        <h2>{isEmail ? "Email" : "Page"}</h2>
      </header>
      {isEmail ? (
        <EmailFields />
      ) : (
        <>
          <PaperFields />
          <BandFields />
          <BackgroundFields />
          <WatermarkFields />
        </>
      )}
      <FormatFields />
      {!isEmail && (
        <>
          <PdfFields />
          <SigningFields />
        </>
      )}
    </div>
  );
}
