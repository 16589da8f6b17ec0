import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { ask } from "../../api.js";
import { Button } from "../../ui/button.js";
import { Form } from "../../ui/form.js";
import { Notice } from "../../ui/notice.js";

/** Asks for a sign-in link by e-mail. Whether there is such a user is not told. */
export function MailForm({ isPrimary }: { isPrimary: boolean }) {
  const [email, setEmail] = useState("");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const send = useAction(async () => {
    await ask("sign-in/mail", "POST", { email });
    setSentTo(email);
  });
  if (sentTo !== null) return <Sent to={sentTo} />;
  return (
    <Form onSend={send.run}>
      <div class="field">
        <label for="email">Email address</label>
        <input
          id="email"
          class="input"
          type="email"
          autocomplete="email"
          required
          value={email}
          onInput={(event) => setEmail(event.currentTarget.value)}
        />
      </div>
      {send.fault && <Notice tone="bad" title={send.fault} />}
      <Button
        type="submit"
        isWide
        isBusy={send.isBusy}
        {...(isPrimary && { kind: "primary" })}
      >
        Email me a sign-in link
      </Button>
    </Form>
  );
}

function Sent({ to }: { to: string }) {
  return (
    <Notice tone="good" title="Look into your mail">
      <p>
        If {to} is a user here, a link is on its way. It works once, for a short
        time.
      </p>
    </Notice>
  );
}
