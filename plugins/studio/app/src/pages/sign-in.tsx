import { useEffect, useState } from "preact/hooks";
import { useAction, Form } from "../ui/form.js";
import { ask } from "../api.js";
import platen from "../icons/platen.svg?url";
import { useResource } from "../resource.js";
import { base, place } from "../router.js";
import { Button } from "../ui/button.js";
import { Fault, Notice } from "../ui/notice.js";

interface Offers {
  mail: boolean;
  openId: string | null;
}

/** @param token of a link that was opened: its page has a button, since looking at a link is not using it. */
export function SignInPage({ token }: { token: string | null }) {
  useEffect(() => {
    document.title = "Sign in · Platen";
  }, []);
  return (
    <main class="sign-in">
      <div class="card sign-in-card">
        <img src={platen} alt="" width={44} height={44} />
        <h1>Sign in to Platen</h1>
        {token === null ? <Ways /> : <LinkButton token={token} />}
      </div>
    </main>
  );
}

/** A link is good for one press: the second of two would find it used, and what the first brought would be lost. */
function LinkButton({ token }: { token: string }) {
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    // Come back to as it was left, for instance when there was no network.
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
        Your link is here. It works once, and signs this browser in.
      </p>
      <Button kind="primary" type="submit" isWide isBusy={isSent}>
        Sign in
      </Button>
    </form>
  );
}

function Ways() {
  const offers = useResource("", () => ask<Offers>("sign-in"));
  const { searchParams } = place.value;
  const problem = problemWords(
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
      {offers.fault && (
        <Fault
          what="The ways to sign in could not be read"
          why={offers.fault}
          onRetry={offers.reload}
        />
      )}
      {offers.data && <Offered {...offers.data} />}
    </div>
  );
}

function Offered({ mail, openId }: Offers) {
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
            {openId ? "Or ask" : "Ask"} whoever runs Platen for a sign-in link.
            They make one with
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

interface ProblemWords {
  title: string;
  advice: string;
}

const ofLinks: Record<string, ProblemWords> = {
  gone: {
    title: "This link was used already, or is too old",
    advice:
      "Each link works once, for a short time. Ask for a new one the way you got this one.",
  },
  not_found: {
    title: "This link is not whole",
    advice:
      "Some programs cut long addresses in two. Copy all of it into the address bar, or ask for a new link.",
  },
};

const ofProvider: Record<string, ProblemWords> = {
  forbidden: {
    title: "You have no account here yet",
    advice:
      "Your provider knows you, but nobody has added your email address to an organization. Ask its owner, or whoever runs Platen.",
  },
  conflict: {
    title: "Your email address is not verified",
    advice:
      "Verify it at your provider, then try again. Or ask for a sign-in link.",
  },
  unauthorized: {
    title: "The sign-in was not completed",
    advice: "Your provider did not let you through, or you left. Try again.",
  },
  invalid_request: {
    title: "The sign-in took too long, or began elsewhere",
    advice: "Begin again, in this browser.",
  },
  unavailable: {
    title: "The sign-in provider does not answer",
    advice:
      "Try again in a minute. If it stays so, tell whoever runs Platen to look at its log.",
  },
};

/** What went wrong, in words, and what to do. Null: nothing, as far as the address tells. */
function problemWords(
  way: string | null,
  problem: string | null,
): ProblemWords | null {
  if (problem === null) return null;
  const known = (way === "openid" ? ofProvider : ofLinks)[problem];
  return (
    known ?? {
      title: "Signing in did not work",
      advice: "Wait a minute, then try again.",
    }
  );
}
