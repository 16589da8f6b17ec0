import { TextView } from "../text/text-view.js";
import { useCanvas } from "./canvas-state.js";
import { getEmailWidth, PHONE_WIDTH } from "./sheet-size.js";
import { EmptyPage } from "./views/component-list.js";
import { EmailBody } from "./views/email-views.js";
import type { Place } from "./views/place.js";

const inBody: Place = { around: "block", email: "body" };

/** An email: a centered column on the background. */
export function EmailSheet() {
  const { editor, isPhone } = useCanvas();
  const { email, components } = editor.definition.value;
  const usual = editor.design.defaults.email;
  return (
    <div
      class={isPhone.value ? "sheet mail on-phone" : "sheet mail"}
      style={{
        width: `${getEmailWidth(email?.width, isPhone.value, usual)}px`,
        backgroundColor: email?.background ?? "#ffffff",
      }}
    >
      <div
        class="mail-body"
        data-list="body"
        style={{
          maxWidth: `${isPhone.value ? PHONE_WIDTH : (email?.width ?? usual.width)}px`,
        }}
      >
        {components.length === 0 ? (
          <EmptyPage words="This email is empty" />
        ) : (
          <EmailBody components={components} place={inBody} />
        )}
      </div>
    </div>
  );
}

/** The subject and preheader, as an inbox shows them. */
export function EmailLines() {
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
