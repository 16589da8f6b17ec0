import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { AccountMenu } from "./account-menu.js";
import { wordsOf } from "./api.js";
import platen from "./icons/platen.svg";
import { Link } from "./link.js";
import { loadMe, may, me } from "./me.js";
import { path } from "./router.js";
import { comeBack } from "./way-back.js";
import { Icon, type IconName } from "./ui/icon.js";
import { Fault } from "./ui/notice.js";

/** What stands around every page. Pages are drawn once it is known who looks at them. */
export function Shell({ children }: { children: ComponentChildren }) {
  const [fault, setFault] = useState<string | null>(null);
  const load = async () => {
    setFault(null);
    await loadMe().then(comeBack, (error: unknown) => setFault(wordsOf(error)));
  };
  useEffect(() => {
    void load();
  }, []);
  return (
    <div class="shell">
      <a class="button skip" href="#main">
        To the content
      </a>
      <header class="side">
        <Link class="brand" to="">
          <img src={platen} alt="" width={28} height={28} />
          Platen
        </Link>
        <nav class="nav" aria-label="Pages">
          <ul>
            <Item to="templates" icon="templates" words="Templates" />
            <Item to="documents" icon="documents" words="Documents" />
            {may("owner") && <Item to="keys" icon="key" words="API keys" />}
          </ul>
        </nav>
        <AccountMenu />
      </header>
      <main class="main" id="main" tabIndex={-1}>
        {me.value && children}
        {fault && !me.value && (
          <Fault what="Platen could not be opened" why={fault} onRetry={load} />
        )}
      </main>
    </div>
  );
}

function Item({
  to,
  icon,
  words,
}: {
  to: string;
  icon: IconName;
  words: string;
}) {
  const here = path.value || "templates";
  const isHere = here === to || here.startsWith(`${to}/`);
  return (
    <li>
      <Link to={to} isHere={isHere}>
        <Icon name={icon} />
        {words}
      </Link>
    </li>
  );
}
