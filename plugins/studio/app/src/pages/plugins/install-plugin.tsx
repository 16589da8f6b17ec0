/** How another plugin comes to be here. */
export function InstallPlugin() {
  return (
    <section class="card padded stack close">
      <h2>Install another</h2>
      <p>
        Plugins are packages of npm. Whoever runs Platen installs one beside it,
        names it, and restarts Platen:
      </p>
      <code class="command">npm install platen-plugin-directus</code>
      <code class="command">PLATEN_PLUGINS=platen-plugin-directus</code>
      <p class="muted small">
        A plugin runs with all that Platen may do: install only those whose
        author you trust. How to write one is in docs/write-a-plugin.md.
      </p>
    </section>
  );
}
