import { FONT_FACES, fontFileName } from "./copy-fonts.js";

export function galleryStyle(): string {
  const faces = FONT_FACES.map(
    ({ weight }) =>
      `@font-face{font-family:Inter;font-weight:${weight};src:url(${fontFileName(weight)})}`,
  );
  return faces.join("") + rules;
}

const rules = `
*{box-sizing:border-box;margin:0}
body{font:400 15px/1.5 Inter,system-ui,sans-serif;color:#17191d;background:#fff;padding:72px clamp(24px,5vw,88px) 96px}
header{max-width:640px;margin-bottom:64px}
h1{font-weight:600;font-size:44px;letter-spacing:-.04em;line-height:1.1}
header p{font-size:18px;color:#666b75;margin-top:8px}
h2{font-weight:600;font-size:15px;border-top:1px solid #17191d;padding-top:12px;margin-bottom:28px}
h2 span{font-weight:400;color:#8a8f99;margin-left:8px}
section{margin-bottom:72px}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:56px 32px}
.stage{display:flex;align-items:center;justify-content:center;background:#f1f2f4;height:440px;padding:32px;overflow:hidden}
.stage img{max-width:100%;max-height:100%;width:auto;height:auto;background:#fff;box-shadow:0 0 0 1px rgba(0,0,0,.06),0 8px 24px rgba(20,24,33,.1);transition:transform .2s}
.stage.email{align-items:flex-start;padding:32px 32px 0}
.stage.email img{max-height:none;width:100%}
.stage:hover img{transform:translateY(-3px)}
h3{font-weight:600;font-size:16px;letter-spacing:-.01em;margin-top:16px}
article p{color:#666b75;font-size:14px;margin-top:2px}
article .links{display:flex;flex-wrap:wrap;gap:4px 14px;margin-top:10px;font-size:13px}
.links a{color:#17191d;font-weight:600;text-decoration:none}
.links a:hover{text-decoration:underline;text-underline-offset:3px}
.links span{font-weight:400;color:#8a8f99;margin-left:5px;font-variant-numeric:tabular-nums}
.strip{display:flex;gap:8px;margin-top:14px;overflow-x:auto;padding:1px}
.strip img{height:64px;width:auto;display:block;box-shadow:0 0 0 1px rgba(0,0,0,.1)}
`;
