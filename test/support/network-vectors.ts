/** Every way that we know by which a document may reach out to `url`; each as the inside of a document. */
export function networkVectors(url: string): Record<string, string> {
  return {
    ...linked(url),
    ...embedded(url),
    ...styled(url),
    ...drawn(url),
    ...moving(url),
    ...scripted(url),
  };
}

function linked(url: string): Record<string, string> {
  const rels =
    "stylesheet icon prefetch preconnect dns-prefetch prerender manifest modulepreload next pingback";
  const links = rels
    .split(" ")
    .map((rel) => [`link ${rel}`, `<link rel="${rel}" href="${url}/${rel}">`]);
  return {
    ...Object.fromEntries(links),
    "link preload image": `<link rel="preload" as="image" href="${url}/preload">`,
    "link preload font": `<link rel="preload" as="font" crossorigin href="${url}/font">`,
    base: `<base href="${url}/base/"><img src="relative.png">`,
  };
}

function embedded(url: string): Record<string, string> {
  return {
    img: `<img src="${url}/img">`,
    "img srcset": `<img srcset="${url}/srcset 2x">`,
    picture: `<picture><source srcset="${url}/picture"><img></picture>`,
    video: `<video autoplay src="${url}/video" poster="${url}/poster"></video>`,
    audio: `<audio autoplay src="${url}/audio"></audio>`,
    track: `<video><track default src="${url}/track"></video>`,
    iframe: `<iframe src="${url}/iframe"></iframe>`,
    "iframe srcdoc": `<iframe srcdoc="<img src='${url}/srcdoc'>"></iframe>`,
    object: `<object data="${url}/object"></object>`,
    embed: `<embed src="${url}/embed">`,
    "input image": `<input type="image" src="${url}/input">`,
    "table background": `<table background="${url}/table"><tr><td>x</table>`,
  };
}

function styled(url: string): Record<string, string> {
  const css = {
    import: `@import "${url}/import";`,
    background: `p { background: url(${url}/background) }`,
    "font face": `@font-face { font-family: F; src: url(${url}/face) } p { font-family: F }`,
    content: `p::before { content: url(${url}/content) }`,
    "list image": `p { display: list-item; list-style: url(${url}/list) }`,
    "border image": `p { border: 9px solid; border-image: url(${url}/border) 9 }`,
    mask: `p { mask: url(${url}/mask) }`,
    cursor: `p { cursor: url(${url}/cursor), auto }`,
    filter: `p { filter: url(${url}/filter#f) }`,
    "margin box": `@page { @top-left { content: url(${url}/margin) } }`,
    "image set": `p { background: image-set("${url}/set" 1x) }`,
  };
  return Object.fromEntries(
    Object.entries(css).map(([name, rules]) => [
      `css ${name}`,
      `<style>${rules}</style><p>x</p>`,
    ]),
  );
}

function drawn(url: string): Record<string, string> {
  return {
    "svg image": svg(`<image href="${url}/svg-image"/>`),
    "svg use": svg(`<use href="${url}/use#a"/>`),
    "svg feImage": svg(
      `<filter id="f"><feImage href="${url}/fe"/></filter><rect filter="url(#f)" width="9" height="9"/>`,
    ),
    "svg in a data url": `<img src="data:image/svg+xml,${encodeURIComponent(svg(`<image href="${url}/inner"/>`))}">`,
    "foreign object": svg(
      `<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="${url}/foreign"/></foreignObject>`,
    ),
    "xml stylesheet": `<?xml-stylesheet href="${url}/xsl"?>`,
  };
}

function svg(inside: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;
}

function moving(url: string): Record<string, string> {
  return {
    refresh: `<meta http-equiv="refresh" content="0;url=${url}/refresh">`,
    "link header": `<meta http-equiv="link" content="<${url}/header>;rel=preload">`,
    "policy report": `<meta http-equiv="content-security-policy" content="img-src 'none'; report-uri ${url}/report"><img src="data:,">`,
    ping: `<a autofocus href="#" ping="${url}/ping">x</a>`,
    form: `<form action="${url}/form"><input autofocus><button>x</button></form>`,
    "speculation rules": `<script type="speculationrules">{"prefetch":[{"urls":["${url}/speculation"]}]}</script>`,
  };
}

function scripted(url: string): Record<string, string> {
  return {
    script: `<script src="${url}/script"></script>`,
    "module script": `<script type="module">import "${url}/module"</script>`,
    fetch: `<script>fetch("${url}/fetch")</script>`,
    beacon: `<script>navigator.sendBeacon("${url}/beacon")</script>`,
    socket: `<script>new WebSocket("${url.replace("http", "ws")}/socket")</script>`,
    "event handler": `<img src="data:," onerror="fetch('${url}/handler')">`,
    "javascript url": `<iframe src="javascript:fetch('${url}/js')"></iframe>`,
    navigation: `<script>location = "${url}/navigation"</script>`,
    worker: `<script>new Worker(URL.createObjectURL(new Blob(["fetch('${url}/worker')"])))</script>`,
    "peer connection": `<script>new RTCPeerConnection({ iceServers: [{ urls: "stun:${url.replace("http://", "")}" }] }).createDataChannel("x")</script>`,
  };
}
