import { useCanvas } from "../canvas-state.js";
import { TextView } from "../../text/text-view.js";
import type { Place } from "../place.js";
import { EmptyPage } from "../empty-page.js";
import { MailBody } from "./mail-body.js";
import { mailWidth, phoneWidth } from "./mail-width.js";

const inBody: Place = { around: "block", mail: "body" };

/** An email on its ground, a column in the middle. */
export function MailSheet() {
  const { editor, isPhone } = useCanvas();
  const { email, components } = editor.definition.value;
  const usual = editor.design.defaults.email;
  return (
    <div
      class={isPhone.value ? "sheet mail on-phone" : "sheet mail"}
      style={{
        width: `${mailWidth(email?.width, isPhone.value, usual)}px`,
        backgroundColor: email?.background ?? "#ffffff",
      }}
    >
      <div
        class="mail-body"
        data-list="body"
        style={{
          maxWidth: `${isPhone.value ? phoneWidth : (email?.width ?? usual.width)}px`,
        }}
      >
        {components.length === 0 ? (
          <EmptyPage words="This email is empty" />
        ) : (
          <MailBody components={components} place={inBody} />
        )}
      </div>
    </div>
  );
}

/** What an inbox shows of it: the subject and the line beside it. */
export function MailLines() {
  const { editor } = useCanvas();
  const { email } = editor.definition.value;
  return (
    <div class="mail-lines">
      <strong>
        {email?.subject ? (
          <TextView text={email.subject} owner={null} />
        ) : (
          "No subject yet"
        )}
      </strong>
      {email?.preheader && (
        <span>
          <TextView text={email.preheader} owner={null} />
        </span>
      )}
    </div>
  );
}
