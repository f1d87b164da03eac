// Weft World SDK. Written by `npm run world-sdk:build`; do not edit.

// lib/domain/world-permissions.ts
var FAMILY = "dcn.";
var OTHER_FAMILY = "decentralised.art.";
var PERMISSIONS = [
  "dcn.connectors.read",
  "dcn.transformations.read",
  "dcn.conditions.read",
  "dcn.social.read",
  "dcn.execute",
  "browser.audio",
  "browser.downloads"
];
function canonicalPermission(name) {
  const ours = name.startsWith(OTHER_FAMILY) ? `${FAMILY}${name.slice(OTHER_FAMILY.length)}` : name;
  return PERMISSIONS.find((permission) => permission === ours);
}

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

// lib/world-sdk/call-arguments.ts
var BadArguments = class extends Error {
  name = "BadArguments";
};
var MAX_PARTICLES = 65536;
var MAX_PAGE = 100;
var DEFAULT_PAGE = 50;
var MAX_OVERRIDES = 100;
var MAX_TEXT = 512;
var UINT32_MAX = 4294967295;
function nameArgument(params, field = "name") {
  const name = text(params[field], field);
  if (name.trim() === "" || name === "." || name === "..") throw new BadArguments(`${field} is no name`);
  return name;
}
function hashArgument(params) {
  const { hash } = params;
  if (typeof hash === "string" && /^(?:0[xX])?[0-9a-fA-F]{64}$/.test(hash)) return hash;
  throw new BadArguments("hash must be 64 hexadecimal digits");
}
function pageArguments(params) {
  const { limit, after } = params;
  return {
    limit: pageSize(limit),
    ...after !== void 0 && after !== null && { after: text(after, "after") }
  };
}
function feedArguments(params) {
  const { limit, before, type, includeUnfinalized } = params;
  if (includeUnfinalized !== void 0 && typeof includeUnfinalized !== "boolean") {
    throw new BadArguments("includeUnfinalized must be true or false");
  }
  return {
    limit: pageSize(limit),
    ...before !== void 0 && before !== null && { before: text(before, "before") },
    ...type !== void 0 && { type: text(type, "type") },
    ...includeUnfinalized !== void 0 && { includeUnfinalized }
  };
}
function runArguments(params, limits) {
  return [
    nameArgument(params, "connectorName"),
    particlesCount(params.particlesCount, limits?.particlesCount),
    params.dynamicRi === void 0 || params.dynamicRi === null ? void 0 : overrides(params.dynamicRi)
  ];
}
function particlesCount(value, range) {
  const count = typeof value === "string" && /^(?:0|[1-9]\d{0,5})$/.test(value) ? Number(value) : value;
  if (!isInteger(count, 0, MAX_PARTICLES)) {
    throw new BadArguments(`particlesCount must be an integer up to ${MAX_PARTICLES}`);
  }
  if (range && (count < range.min || count > range.max)) {
    throw new BadArguments(
      `particlesCount must be from ${range.min} to ${range.max}, as the World's manifest says`
    );
  }
  return count;
}
function overrides(value) {
  if (!isFields(value)) throw new BadArguments("dynamicRi must be an object");
  const positions = Object.keys(value);
  if (positions.length > MAX_OVERRIDES) {
    throw new BadArguments(`dynamicRi may have at most ${MAX_OVERRIDES} entries`);
  }
  return Object.fromEntries(positions.map((position) => [position, override(position, value[position])]));
}
function override(position, value) {
  if (!/^(?:0|[1-9]\d{0,9})$/.test(position) || Number(position) > UINT32_MAX) {
    throw new BadArguments("keys of dynamicRi must be decimals up to 4294967295");
  }
  if (!isFields(value)) throw new BadArguments(`dynamicRi.${position} must be an object`);
  const { start_point, transformation_shift } = value;
  if (!isInteger(start_point, 0, UINT32_MAX) || !isInteger(transformation_shift, 0, UINT32_MAX)) {
    throw new BadArguments(
      `dynamicRi.${position} must have start_point and transformation_shift, integers up to ${UINT32_MAX}`
    );
  }
  return { start_point, transformation_shift };
}
function pageSize(value) {
  if (value === void 0) return DEFAULT_PAGE;
  if (!isInteger(value, 1, MAX_PAGE)) throw new BadArguments(`limit must be an integer from 1 to ${MAX_PAGE}`);
  return value;
}
function text(value, field) {
  if (typeof value === "string" && value !== "" && value.length <= MAX_TEXT && value.isWellFormed())
    return value;
  throw new BadArguments(`${field} must be a text of 1 to ${MAX_TEXT} characters`);
}
function isInteger(value, min, max) {
  return Number.isInteger(value) && value >= min && value <= max;
}

// lib/world-sdk/methods.ts
function byName(permission, call) {
  return {
    permission,
    prepare: (params) => {
      const name = nameArgument(params);
      return (client) => call(client, name);
    }
  };
}
var METHODS = /* @__PURE__ */ new Map([
  ["connectorGet", byName("dcn.connectors.read", (client, name) => client.connectorGet(name))],
  ["connectorExists", byName("dcn.connectors.read", (client, name) => client.connectorExists(name))],
  ["transformationGet", byName("dcn.transformations.read", (client, name) => client.transformationGet(name))],
  [
    "transformationExists",
    byName("dcn.transformations.read", (client, name) => client.transformationExists(name))
  ],
  ["conditionGet", byName("dcn.conditions.read", (client, name) => client.conditionGet(name))],
  ["conditionExists", byName("dcn.conditions.read", (client, name) => client.conditionExists(name))],
  [
    "listFormats",
    {
      permission: "dcn.connectors.read",
      prepare: (params) => {
        const options = pageArguments(params);
        return (client) => client.listFormats(options);
      }
    }
  ],
  [
    "formatInfo",
    {
      permission: "dcn.connectors.read",
      prepare: (params) => {
        const hash = hashArgument(params);
        const options = pageArguments(params);
        return (client) => client.formatInfo(hash, options);
      }
    }
  ],
  [
    "feed",
    {
      permission: "dcn.social.read",
      prepare: (params) => {
        const options = feedArguments(params);
        return (client) => client.feed(options);
      }
    }
  ],
  [
    "execute",
    {
      permission: "dcn.execute",
      prepare: (params, limits) => {
        const run2 = runArguments(params, limits);
        return (client) => client.execute(...run2);
      }
    }
  ],
  [
    "simulate",
    {
      permission: "dcn.execute",
      prepare: (params, limits) => {
        const run2 = runArguments(params, limits);
        return (client) => client.simulate(...run2);
      }
    }
  ]
]);

// lib/world-sdk/broker.ts
var MAX_UNDER_WAY = 32;
function createBroker({ client, permissions, valueLimits, logger }) {
  let underWay = 0;
  return async (name, params) => {
    if (!isName(name)) return refuse("bad_request", "method must be the name of a method");
    const method = METHODS.get(name);
    if (method === void 0) return refuse("unknown_method", `There is no method ${name}`);
    if (!permissions.has(method.permission)) {
      return refuse("permission_denied", `${name} needs the permission ${method.permission}`);
    }
    if (underWay >= MAX_UNDER_WAY) {
      return refuse("host_error", `More than ${MAX_UNDER_WAY} calls are under way`, 429);
    }
    underWay += 1;
    try {
      const call = method.prepare(isFields(params) ? params : {}, valueLimits);
      return { ok: true, result: await call(client) };
    } catch (error) {
      if (error instanceof BadArguments) return refuse("bad_request", error.message);
      const status = statusOf(error);
      if (status !== void 0)
        return refuse("host_error", `The chain API answered with status ${status}`, status);
      logger.error("A call of the World failed", error);
      return refuse("host_error", "The page could not answer");
    } finally {
      underWay -= 1;
    }
  };
}
function refuse(code, message, status) {
  return { ok: false, error: { code, message, ...status !== void 0 && { status } } };
}
function statusOf(error) {
  if (typeof error !== "object" || error === null || !("status" in error)) return void 0;
  const { status } = error;
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : void 0;
}

// lib/world-sdk/flood-gate.ts
function createFloodGate(perSecond, now = () => performance.now()) {
  let began = now();
  let passed = 0;
  return () => {
    const time = now();
    if (time - began >= 1e3) {
      began = time;
      passed = 0;
    }
    passed += 1;
    if (passed <= perSecond) return "open";
    return passed === perSecond + 1 ? "closing" : "closed";
  };
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

// lib/world-sdk/chain-client.ts
var ApiError = class extends Error {
  name = "ApiError";
  /** HTTP status. */
  status;
  constructor(status, message) {
    super(message);
    this.status = status;
  }
};
var DEFAULT_PAGE2 = 50;
var HERE = import.meta.url;
var ChainClient = class {
  baseUrl;
  accessToken;
  send;
  constructor({ baseUrl, accessToken, fetch: send } = {}) {
    this.baseUrl = (baseUrl ?? chainBeside(HERE)).replace(/\/+$/, "");
    this.accessToken = accessToken;
    this.send = send ?? ((...request) => globalThis.fetch(...request));
  }
  async version() {
    return this.get("/version");
  }
  async connectorGet(name) {
    return this.get(`/connector/${segment(name)}`);
  }
  async connectorExists(name) {
    return this.exists(`/connector/${segment(name)}`);
  }
  async transformationGet(name) {
    return this.get(`/transformation/${segment(name)}`);
  }
  async transformationExists(name) {
    return this.exists(`/transformation/${segment(name)}`);
  }
  async conditionGet(name) {
    return this.get(`/condition/${segment(name)}`);
  }
  async conditionExists(name) {
    return this.exists(`/condition/${segment(name)}`);
  }
  async listFormats({ limit = DEFAULT_PAGE2, after } = {}) {
    return this.get("/formats", { limit, after });
  }
  async formatInfo(hash, { limit = DEFAULT_PAGE2, after } = {}) {
    return this.get(`/format/${segment(hash)}`, { limit, after });
  }
  async feed({
    limit = DEFAULT_PAGE2,
    before,
    type,
    includeUnfinalized
  } = {}) {
    const include_unfinalized = includeUnfinalized === void 0 ? void 0 : Number(includeUnfinalized);
    return this.get("/feed", { limit, before, type, include_unfinalized });
  }
  async execute(connectorName, particlesCount2, dynamicRi) {
    return this.post("/execute", run(connectorName, particlesCount2, dynamicRi));
  }
  async simulate(connectorName, particlesCount2, dynamicRi) {
    return this.post("/simulate", run(connectorName, particlesCount2, dynamicRi));
  }
  async get(path, query = {}) {
    const given = Object.entries(query).flatMap(
      ([key, value]) => value === void 0 ? [] : [[key, String(value)]]
    );
    const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
    return (await this.request("GET", path + search)).json();
  }
  async post(path, body) {
    return (await this.request("POST", path, body)).json();
  }
  async exists(path) {
    try {
      await this.request("HEAD", path);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    }
  }
  async request(method, path, body) {
    const headers = {
      ...body !== void 0 && { "Content-Type": "application/json" },
      ...this.accessToken !== void 0 && { Authorization: `Bearer ${this.accessToken}` }
    };
    const response = await this.send(this.baseUrl + path, {
      method,
      headers,
      ...body !== void 0 && { body: JSON.stringify(body) }
    });
    if (response.ok) return response;
    throw new ApiError(response.status, await messageOf(response));
  }
};
function run(connectorName, particlesCount2, dynamicRi) {
  return {
    connector_name: connectorName,
    particles_count: particlesCount2,
    ...dynamicRi !== void 0 && { dynamic_ri: dynamicRi }
  };
}
function segment(name) {
  if (name === "" || name === "." || name === ".." || !name.isWellFormed())
    throw new ApiError(400, "Invalid name");
  return encodeURIComponent(name);
}
async function messageOf(response) {
  const body = await response.json().catch(() => void 0);
  return typeof body === "object" && body !== null && "message" in body && typeof body.message === "string" ? body.message : `The chain API answered with status ${response.status}`;
}
function chainBeside(module) {
  return `${new URL(module).origin}/chain`;
}

// lib/world-sdk/host.ts
var MAX_ERROR_TEXT = 2e3;
function createWorldHost(options) {
  const logger = options.logger ?? console;
  const listenWindow = options.listenWindow ?? window;
  const channelToken = options.channelToken ?? randomToken();
  const broker = createBroker({
    client: options.client,
    permissions: new Set(options.permissions.map((name) => canonicalPermission(name) ?? name)),
    valueLimits: options.valueLimits,
    logger
  });
  const gate = createFloodGate(options.maxMessagesPerSecond ?? 1e3);
  let worldId = options.worldId;
  let targetOrigin = options.targetOrigin;
  let ready = false;
  let disposed = false;
  const target = () => options.iframe?.contentWindow ?? options.targetWindow ?? null;
  const post = (type, fields, id = worldId) => {
    if (disposed || id === void 0) return;
    target()?.postMessage({ ...fields, type, worldId: id, channelToken }, targetOrigin ?? "*");
    tell(options.onMessage, { from: "page", type, fields: { ...fields, worldId: id } });
  };
  const tell = (listener, message) => {
    try {
      listener?.(message);
    } catch (error) {
      logger.error("A listener of the World host failed", error);
    }
  };
  const answer = (requestId, outcome, id) => {
    try {
      post(MESSAGE.response, { requestId, ...outcome }, id);
    } catch (error) {
      logger.error("An answer to the World could not be sent", error);
      post(MESSAGE.response, { requestId, ...refuse("host_error", "The page could not answer") }, id);
    }
  };
  const welcome = ({ worldId: announced, fields }, origin) => {
    if (fields.protocolVersion !== PROTOCOL_VERSION) return;
    worldId = announced;
    ready = true;
    if (targetOrigin === void 0 && origin === "null") {
      logger.warn("The World has no origin of its own: messages to it are sent to any");
      targetOrigin = "*";
    }
    tell(options.onReady, { worldId: announced, protocolVersion: PROTOCOL_VERSION });
  };
  const handle = (envelope, origin) => {
    const { type, fields } = envelope;
    const requestId = isName(fields.requestId) ? fields.requestId : void 0;
    if (type === MESSAGE.ready) welcome(envelope, origin);
    else if (type === MESSAGE.request && requestId !== void 0) {
      if (!ready) return answer(requestId, refuse("bad_request", "Call ready() first"), envelope.worldId);
      void broker(fields.method, fields.params).then(
        (outcome) => answer(requestId, outcome, envelope.worldId)
      );
    } else if (!ready) return;
    else if (type === MESSAGE.rendered) tell(options.onRendered, requestId === void 0 ? {} : { requestId });
    else if (type === MESSAGE.error && typeof fields.message === "string") {
      tell(options.onError, { message: fields.message.slice(0, MAX_ERROR_TEXT) });
    }
  };
  const onMessage = (event) => {
    const source = target();
    if (source === null || event.source !== source) return;
    if (options.expectedOrigin !== void 0 && event.origin !== options.expectedOrigin) return;
    const passage = gate();
    if (passage === "closing") {
      tell(options.onError, { message: "The World sends too many messages" });
      tell(options.onFlood, void 0);
    }
    if (passage !== "open") return;
    const envelope = readEnvelope(event.data);
    if (envelope?.channelToken !== channelToken) return;
    if (worldId !== void 0 && envelope.worldId !== worldId) return;
    if (options.onMessage !== void 0) {
      const { channelToken: _token, type: _type, ...fields } = envelope.fields;
      tell(options.onMessage, { from: "world", type: envelope.type, fields });
    }
    handle(envelope, event.origin);
  };
  listenWindow.addEventListener("message", onMessage);
  return {
    get worldId() {
      return worldId;
    },
    channelToken,
    worldUrl: (url) => withToken(url, channelToken),
    pushState: ({ payload, seed, requestId }) => post(MESSAGE.state, {
      ...requestId !== void 0 && { requestId },
      ...payload !== void 0 && { payload },
      ...seed !== void 0 && { seed }
    }),
    pushConnectors: (connectors) => post(MESSAGE.state, { seed: { connectors } }),
    dispose: () => {
      disposed = true;
      listenWindow.removeEventListener("message", onMessage);
    }
  };
}
function withToken(url, token) {
  const page = typeof document === "undefined" ? void 0 : document.baseURI;
  const result = new URL(url, page);
  for (const name of TOKEN_PARAMETERS) result.searchParams.set(name, token);
  if (page !== void 0) result.searchParams.set(ORIGIN_PARAMETER, new URL(page).origin);
  return result.href;
}
function randomToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
export {
  ApiError,
  ChainClient as DcnClient,
  ChainClient as DecentralisedArtClient,
  createWorldHost
};
