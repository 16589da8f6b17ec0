import type { SessionInfo } from "../../../../../core/plugin-api/app-plugin.js";
import { ask } from "../api.js";
import { agoOf, browserOf, dayOf } from "../format.js";
import { me } from "../session.js";
import { useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { Fault } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";

const roles = {
  owner: "Owner: full access, including API keys",
  editor: "Editor: can change templates and create documents",
  viewer: "Viewer: read-only access",
} as const;

export function AccountPage() {
  const sessions = useResource("", () => ask<SessionInfo[]>("sessions"));
  const who = me.value;
  return (
    <>
      <PageTitle title="Account" />
      <div class="stack narrow">
        {who && (
          <dl class="card padded facts">
            <dt>Name</dt>
            <dd>{who.user.name}</dd>
            <dt>Email</dt>
            <dd>{who.user.email}</dd>
            <dt>Organization</dt>
            <dd>{who.organization.name}</dd>
            <dt>Role</dt>
            <dd>{roles[who.role]}</dd>
          </dl>
        )}
        {sessions.fault && !sessions.data && (
          <Fault
            what="Couldn't load your sessions"
            why={sessions.fault}
            onRetry={sessions.reload}
          />
        )}
        {sessions.data && (
          <Sessions all={sessions.data} onChange={sessions.reload} />
        )}
      </div>
    </>
  );
}

function Sessions({
  all,
  onChange,
}: {
  all: SessionInfo[];
  onChange: () => Promise<void>;
}) {
  const end = async (which: string, said: string) => {
    await ask(`sessions${which}`, "DELETE");
    await onChange();
    toast(said);
  };
  return (
    <section class="stack">
      <div class="section-head">
        <div>
          <h2>Where you are signed in</h2>
          <p class="muted small">End any session you don't recognize.</p>
        </div>
        {all.length > 1 && (
          <Button onPress={() => end("", "All other sessions ended.")}>
            End all others
          </Button>
        )}
      </div>
      <ul class="card lines">
        {all.map((one) => (
          <SessionLine one={one} end={end} key={one.id} />
        ))}
      </ul>
    </section>
  );
}

function SessionLine({
  one,
  end,
}: {
  one: SessionInfo;
  end: (which: string, said: string) => Promise<void>;
}) {
  const browser = browserOf(one.userAgent);
  return (
    <li class="line">
      <div class="words">
        <strong>{browser}</strong>
        <span class="muted small">
          Signed in {dayOf(one.createdAt)}, last used {agoOf(one.lastSeenAt)}
        </span>
      </div>
      {one.isCurrent ? (
        <span class="badge good">This browser</span>
      ) : (
        <Button
          label={`End the session in ${browser}`}
          onPress={() => end(`/${one.id}`, "Session ended.")}
        >
          End
        </Button>
      )}
    </li>
  );
}
