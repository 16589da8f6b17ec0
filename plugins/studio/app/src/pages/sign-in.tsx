import { useEffect, useState } from "preact/hooks";
import { Form, InputField, useAction } from "../ui/form.js";
import { ask } from "../api.js";
import platen from "../icons/platen.svg?url";
import { useResource } from "../resource.js";
import { base, place } from "../router.js";
import { Button } from "../ui/button.js";
import { Fault, Notice } from "../ui/notice.js";

interface Methods {
  mail: boolean;
  openId: string | null;
}

/** @param token from a sign-in link. It is used by a button only, so that link previews do not consume it. */
export function SignInPage({ token }: { token: string | null }) {
  useEffect(() => {
    document.title = "Sign in · Platen";
  }, []);
  return (
    <main class="sign-in">
      <div class="card sign-in-card">
        <img src={platen} alt="" width={44} height={44} />
        <h1>Sign in to Platen</h1>
        {token === null ? <SignInOptions /> : <LinkButton token={token} />}
      </div>
    </main>
  );
}

/** A link works once: a second click would fail and lose the session of the first. */
function LinkButton({ token }: { token: string }) {
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    // The page was restored from the browser's cache, for example after a network error.
    const again = () => setSent(false);
    addEventListener("pageshow", again);
    return () => removeEventListener("pageshow", again);
  }, []);
  return (
    <form
      class="stack"
      method="post"
      action={`${base}sign-in/${token}`}
      onSubmit={() => setSent(true)}
    >
      <p class="muted">
        This link works once and signs you in in this browser.
      </p>
      <Button kind="primary" type="submit" isWide isBusy={isSent}>
        Sign in
      </Button>
    </form>
  );
}

function SignInOptions() {
  const methods = useResource("", () => ask<Methods>("sign-in"));
  const { searchParams } = place.value;
  const problem = findProblem(
    searchParams.get("way"),
    searchParams.get("problem"),
  );
  return (
    <div class="stack">
      {problem && (
        <Notice tone="bad" title={problem.title}>
          <p>{problem.advice}</p>
        </Notice>
      )}
      {methods.fault && (
        <Fault
          what="Couldn't load the sign-in options"
          why={methods.fault}
          onRetry={methods.reload}
        />
      )}
      {methods.data && <SignInMethods {...methods.data} />}
    </div>
  );
}

function SignInMethods({ mail, openId }: Methods) {
  return (
    <>
      {openId && (
        <a class="button primary wide" href={`${base}sign-in/openid`}>
          Continue with {openId}
        </a>
      )}
      {openId && mail && <p class="or muted small">or</p>}
      {mail && <MailForm isPrimary={!openId} />}
      {!mail && (
        <div class="stack small muted">
          <p>
            {openId ? "Or ask" : "Ask"} the operator of this server for a
            sign-in link. They create one with
          </p>
          <code class="command">npm run platen -- user login-link you@…</code>
        </div>
      )}
    </>
  );
}

/** Asks for a sign-in link by e-mail. Whether there is such a user is not told. */
function MailForm({ isPrimary }: { isPrimary: boolean }) {
  const [email, setEmail] = useState("");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const send = useAction(async () => {
    await ask("sign-in/mail", "POST", { email });
    setSentTo(email);
  });
  if (sentTo !== null) return <MailSent to={sentTo} />;
  return (
    <Form onSend={send.run}>
      <InputField
        label="Email address"
        id="email"
        type="email"
        autocomplete="email"
        required
        value={email}
        onChange={setEmail}
      />
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

function MailSent({ to }: { to: string }) {
  return (
    <Notice tone="good" title="Check your email">
      <p>
        If {to} has an account, we sent a sign-in link. It works once and
        expires soon.
      </p>
    </Notice>
  );
}

interface Problem {
  title: string;
  advice: string;
}

const linkProblems: Record<string, Problem> = {
  gone: {
    title: "This link has been used or has expired",
    advice: "Each link works once and expires soon. Request a new one.",
  },
  not_found: {
    title: "This link is incomplete",
    advice:
      "Some email programs break long links. Copy the whole link into the address bar, or request a new one.",
  },
};

const openIdProblems: Record<string, Problem> = {
  forbidden: {
    title: "You have no account here yet",
    advice:
      "Your provider knows you, but your email address belongs to no organization. Ask an owner of your organization or the operator of this server.",
  },
  conflict: {
    title: "Your email address is not verified",
    advice:
      "Verify it with your provider and try again, or request a sign-in link.",
  },
  unauthorized: {
    title: "The sign-in was not completed",
    advice: "Your provider denied access, or you canceled. Try again.",
  },
  invalid_request: {
    title: "The sign-in took too long or started in another browser",
    advice: "Start again in this browser.",
  },
  unavailable: {
    title: "The sign-in provider isn't responding",
    advice:
      "Try again in a minute. If the problem persists, ask the operator of this server to check Platen's log.",
  },
};

/** What went wrong, in words, and what to do. Null: nothing, as far as the address tells. */
function findProblem(
  way: string | null,
  problem: string | null,
): Problem | null {
  if (problem === null) return null;
  const known = (way === "openid" ? openIdProblems : linkProblems)[problem];
  return (
    known ?? {
      title: "Couldn't sign you in",
      advice: "Wait a minute, then try again.",
    }
  );
}
