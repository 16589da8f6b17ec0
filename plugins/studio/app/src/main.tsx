import "@fontsource-variable/inter/wght.css";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/surfaces.css";
import "./styles/shell.css";
import "./styles/standing.css";
import "./styles/sign-in.css";
import "./styles/templates.css";
import "./styles/lists.css";
import "./styles/console.css";
import { render } from "preact";
import { App } from "./app.js";
import { applyTheme } from "./theme.js";

applyTheme();
const place = document.querySelector("#app");
if (place) render(<App />, place);
