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
  owner: "Owner: everything, API keys too",
  editor: "Editor: changes templates, makes documents",
  viewer: "Viewer: looks, changes nothing",
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
            what="Your sessions could not be read"
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
          <p class="muted small">End what you do not know again.</p>
        </div>
        {all.length > 1 && (
          <Button onPress={() => end("", "You are signed in here alone now.")}>
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
          Since {dayOf(one.createdAt)}, used {agoOf(one.lastSeenAt)}
        </span>
      </div>
      {one.isCurrent ? (
        <span class="badge good">This browser</span>
      ) : (
        <Button
          label={`End the session in ${browser}`}
          onPress={() => end(`/${one.id}`, "The session has ended.")}
        >
          End
        </Button>
      )}
    </li>
  );
}
