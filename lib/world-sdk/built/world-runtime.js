// Weft World SDK. Written by `npm run world-sdk:build`; do not edit.

// lib/world-sdk/envelope.ts
var MAX_NAME = 256;
function readEnvelope(data) {
  if (!isFields(data)) return void 0;
  const { type, worldId, channelToken } = data;
  if (!isName(type) || !isName(worldId) || !isName(channelToken)) return void 0;
  return { type, worldId, channelToken, fields: data };
}
function isFields(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isName(value) {
  return typeof value === "string" && value !== "" && value.length <= MAX_NAME;
}

// lib/world-sdk/protocol.ts
var PROTOCOL_VERSION = 1;
var TOKEN_PARAMETERS = ["dcnWorldChannel", "worldChannel"];
var ORIGIN_PARAMETER = "worldHostOrigin";
var MESSAGE = {
  ready: "dcn:world-ready",
  state: "dcn:world-state",
  rendered: "dcn:world-rendered",
  error: "dcn:world-error",
  request: "dcn:world-rpc-request",
  response: "dcn:world-rpc-response"
};

// lib/world-sdk/mount.ts
function findToken(location) {
  for (const query of queriesOf(location)) {
    for (const name of TOKEN_PARAMETERS) {
      const token = query.get(name);
      if (token) return token;
    }
  }
  return void 0;
}
function findParentOrigin(world) {
  const ancestor = world.location?.ancestorOrigins?.[0];
  const candidates = [
    ancestor,
    originOf(world.document?.referrer),
    ...queriesOf(world.location).map((query) => originOf(query.get(ORIGIN_PARAMETER)))
  ];
  return candidates.find((origin) => origin !== void 0 && origin !== "" && origin !== "null");
}
function queriesOf(location) {
  const hash = location?.hash ?? "";
  const mark = hash.indexOf("?");
  return [
    new URLSearchParams(location?.search ?? ""),
    new URLSearchParams(mark < 0 ? "" : hash.slice(mark + 1))
  ];
}
function originOf(url) {
  try {
    return url ? new URL(url).origin : void 0;
  } catch {
    return void 0;
  }
}

// lib/world-sdk/runtime.ts
var WorldRpcCallError = class extends Error {
  name = "WorldRpcCallError";
  code;
  /** HTTP status of the chain API, with `host_error`. */
  status;
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
};
var DEFAULT_TIMEOUT_MS = 15e3;
var KINDS = ["connectors", "transformations", "conditions"];
function createWorldSdk(options) {
  const { worldId, requestTimeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (!isName(worldId)) throw new Error("createWorldSdk needs a worldId");
  const listenWindow = options.listenWindow ?? window;
  const targetWindow = options.targetWindow ?? listenWindow.parent;
  const channelToken = options.channelToken ?? findToken(listenWindow.location);
  if (!isName(channelToken)) {
    throw new Error(
      "There is no channel token: Worlds run in a frame whose URL comes from worldUrl() of the host"
    );
  }
  const parentOrigin = findParentOrigin(listenWindow);
  const targetOrigin = options.targetOrigin ?? parentOrigin ?? "*";
  const expectedOrigin = options.expectedOrigin ?? options.targetOrigin ?? parentOrigin;
  const listeners = /* @__PURE__ */ new Set();
  const pending = /* @__PURE__ */ new Map();
  const known = new Map(KINDS.map((kind) => [kind, /* @__PURE__ */ new Map()]));
  const session = Math.random().toString(36).slice(2, 10);
  let calls = 0;
  let disposed = false;
  const post = (type, fields = {}) => {
    if (!disposed) targetWindow.postMessage({ ...fields, type, worldId, channelToken }, targetOrigin);
  };
  const call = (method, params) => new Promise((resolve, reject) => {
    if (disposed) return reject(new WorldRpcCallError("disposed", "The SDK was disposed"));
    calls += 1;
    const requestId = `${session}-${calls}`;
    const expire = () => {
      pending.delete(requestId);
      reject(new WorldRpcCallError("timeout", `${method} was not answered in ${requestTimeoutMs} ms`));
    };
    const timer = requestTimeoutMs > 0 ? setTimeout(expire, requestTimeoutMs) : void 0;
    pending.set(requestId, { resolve, reject, timer });
    try {
      post(MESSAGE.request, { requestId, method, params });
    } catch (error) {
      clearTimeout(timer);
      pending.delete(requestId);
      reject(new WorldRpcCallError("bad_request", `The arguments cannot be sent: ${String(error)}`));
    }
  });
  const get = (kind, method, name) => {
    const cache = known.get(kind);
    const there = disposed ? void 0 : cache.get(name);
    if (there !== void 0) return there;
    const asked = call(method, { name });
    cache.set(name, asked);
    asked.catch(() => {
      if (cache.get(name) === asked) cache.delete(name);
    });
    return asked;
  };
  const exists = async (kind, method, name) => {
    const there = disposed ? void 0 : known.get(kind)?.get(name);
    if (there !== void 0) {
      const found = await there.then(
        () => true,
        () => false
      );
      if (found) return true;
    }
    return call(method, { name });
  };
  const takeState = ({ fields }) => {
    const seed = isFields(fields.seed) ? fields.seed : void 0;
    for (const kind of KINDS) {
      const entities = seed?.[kind];
      if (!isFields(entities)) continue;
      for (const [name, info] of Object.entries(entities)) {
        if (isFields(info)) known.get(kind)?.set(name, Promise.resolve(info));
      }
    }
    if (fields.payload === void 0 && fields.requestId === void 0) return;
    const state = {
      ...isName(fields.requestId) && { requestId: fields.requestId },
      ...isFields(fields.payload) && { payload: fields.payload },
      ...seed && { seed }
    };
    for (const listener of listeners) {
      try {
        listener(state);
      } catch (error) {
        setTimeout(() => {
          throw error;
        });
      }
    }
  };
  const takeResponse = ({ fields }) => {
    const waiting = isName(fields.requestId) ? pending.get(fields.requestId) : void 0;
    if (waiting === void 0 || typeof fields.ok !== "boolean") return;
    pending.delete(fields.requestId);
    clearTimeout(waiting.timer);
    if (fields.ok) waiting.resolve(fields.result);
    else waiting.reject(toCallError(fields.error));
  };
  const onMessage = (event) => {
    if (event.source !== targetWindow) return;
    if (expectedOrigin !== void 0 && expectedOrigin !== "*" && event.origin !== expectedOrigin) return;
    const envelope = readEnvelope(event.data);
    if (envelope?.channelToken !== channelToken || envelope.worldId !== worldId) return;
    if (envelope.type === MESSAGE.state) takeState(envelope);
    else if (envelope.type === MESSAGE.response) takeResponse(envelope);
  };
  listenWindow.addEventListener("message", onMessage);
  return {
    worldId,
    ready: () => post(MESSAGE.ready, { protocolVersion: PROTOCOL_VERSION }),
    reportError: (message) => post(MESSAGE.error, { message: String(message) }),
    reportRendered: (requestId) => post(MESSAGE.rendered, requestId === void 0 ? {} : { requestId }),
    onState: (callback) => {
      listeners.add(callback);
      return () => {
        listeners.delete(callback);
      };
    },
    connectorGet: (name) => get("connectors", "connectorGet", name),
    connectorExists: (name) => exists("connectors", "connectorExists", name),
    transformationGet: (name) => get("transformations", "transformationGet", name),
    transformationExists: (name) => exists("transformations", "transformationExists", name),
    conditionGet: (name) => get("conditions", "conditionGet", name),
    conditionExists: (name) => exists("conditions", "conditionExists", name),
    listFormats: (page) => call("listFormats", { ...page }),
    formatInfo: (hash, page) => call("formatInfo", { ...page, hash }),
    feed: (page) => call("feed", { ...page }),
    execute: (...run) => call("execute", runParams(run)),
    simulate: (...run) => call("simulate", runParams(run)),
    dispose: () => {
      disposed = true;
      listenWindow.removeEventListener("message", onMessage);
      for (const { reject, timer } of pending.values()) {
        clearTimeout(timer);
        reject(new WorldRpcCallError("disposed", "The SDK was disposed"));
      }
      pending.clear();
      listeners.clear();
      for (const cache of known.values()) cache.clear();
    }
  };
}
function runParams([connectorName, particlesCount, dynamicRi]) {
  return { connectorName, particlesCount, ...dynamicRi !== void 0 && { dynamicRi } };
}
function toCallError(error) {
  const { code, message, status } = isFields(error) ? error : {};
  return new WorldRpcCallError(
    isCode(code) ? code : "host_error",
    typeof message === "string" ? message : "The page could not answer",
    Number.isInteger(status) ? status : void 0
  );
}
var CODES = /* @__PURE__ */ new Set([
  "permission_denied",
  "unknown_method",
  "bad_request",
  "host_error",
  "timeout",
  "disposed"
]);
function isCode(code) {
  return CODES.has(code);
}
export {
  WorldRpcCallError,
  createWorldSdk
};
