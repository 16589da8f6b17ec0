/** Like the service's other pages for people without a key. */
export const style = `
:root{color-scheme:light dark;--ground:#f3f1ec;--card:#fff;--ink:#1c2126;--soft:#59636d;--line:#e3dfd6;--tint:#f8f6f1;--accent:#0f5f59;--accent-ink:#fff;--press:#0a4642;--good:#1a7a3e;--bad:#b3261e;--warn:#fdf3dc;--warn-ink:#6b4a00;--shadow:0 1px 2px rgb(28 33 38/6%),0 12px 32px rgb(28 33 38/8%)}
@media (prefers-color-scheme:dark){:root{--ground:#121518;--card:#1b1f24;--ink:#eceff2;--soft:#a3adb7;--line:#31383f;--tint:#22272d;--accent:#6fd3c6;--accent-ink:#06231f;--press:#97e4da;--good:#74d494;--bad:#ff9c93;--warn:#3a2f14;--warn-ink:#f5d98f;--shadow:0 1px 2px rgb(0 0 0/40%),0 12px 32px rgb(0 0 0/35%)}}
*{box-sizing:border-box}
body{margin:0;padding:16px;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
.card{max-width:560px;margin:8px auto 0;overflow:hidden;border:1px solid var(--line);border-radius:16px;background:var(--card);box-shadow:var(--shadow)}
.mark{margin:0;padding:10px 20px;background:var(--warn);color:var(--warn-ink);font-size:14px;font-weight:600;text-align:center}
.content{padding:24px 20px 28px}
.kicker{margin:0 0 4px;color:var(--soft);font-size:14px;font-weight:600}
h1{margin:0;font-size:26px;line-height:1.25;letter-spacing:-.01em}
h2{margin:28px 0 8px;font-size:16px;line-height:1.4}
.lead{margin:12px 0 0;color:var(--soft)}
.message{margin:16px 0 0;padding:2px 0 2px 14px;border-left:3px solid var(--line);white-space:pre-line}
.document{display:flex;align-items:center;gap:14px;margin:20px 0 0;padding:14px 16px;border:1px solid var(--line);border-radius:12px;background:var(--tint);color:inherit;text-decoration:none}
.document:hover{border-color:var(--accent)}
.document svg{flex:none;width:28px;height:34px;color:var(--accent)}
.document b{display:block}
.document span span{color:var(--soft);font-size:14px}
.problem{margin:20px 0 0;padding:12px 14px;border-radius:10px;background:var(--warn);color:var(--warn-ink);font-weight:600}
label{display:block;margin:14px 0 0;font-weight:600;font-size:15px}
label small{color:var(--soft);font-weight:400}
input:not([type=checkbox]),select,textarea{display:block;width:100%;margin:6px 0 0;padding:10px 12px;border:1px solid var(--line);border-radius:10px;background:var(--card);color:inherit;font:inherit;font-weight:400}
input[type=checkbox]{width:18px;height:18px;margin:0 8px 0 0;vertical-align:-3px;accent-color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.ink{margin:8px 0 0;padding:10px 14px 8px;border:1px solid var(--line);border-radius:12px;background:#fff;color:#1b2a6b}
.ink svg{display:block;width:150px;height:48px}
.ink span{display:block;padding-top:4px;border-top:1px solid #c9d0da;color:#59636d;font-size:12px}
button{width:100%;margin:20px 0 0;padding:13px 18px;border:0;border-radius:12px;background:var(--accent);color:var(--accent-ink);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--press)}
button.plain{border:1px solid var(--bad);background:none;color:var(--bad)}
details{margin:22px 0 0;color:var(--soft)}
summary{cursor:pointer}
.end{display:flex;align-items:center;justify-content:center;width:56px;height:56px;margin:0 0 16px;border-radius:50%;background:var(--tint);color:var(--good)}
.end.bad{color:var(--bad)}
.end svg{width:28px;height:28px}
.signers{margin:8px 0 0;padding:0;list-style:none;border:1px solid var(--line);border-radius:12px}
.signers li{display:flex;justify-content:space-between;gap:16px;padding:10px 14px}
.signers li+li{border-top:1px solid var(--line)}
.signers small{display:block;color:var(--soft)}
.signers span:last-child{color:var(--soft);text-align:right;font-size:14px}
.foot{max-width:560px;margin:14px auto 0;color:var(--soft);font-size:13px;text-align:center}
`.trim();
