/** A window as far as `postMessage` goes: copies what is sent, checks the target origin, delivers later. */
export class FakeWindow extends EventTarget {
  readonly origin: string
  readonly location: URL
  readonly document = { referrer: '' }
  parent: FakeWindow | undefined
  /** Target origins of what was sent here. */
  readonly targets: string[] = []
  private readonly senders = new Map<FakeWindow, Window>()

  constructor(origin: string, url = `${origin === 'null' ? 'http://assets.test' : origin}/`) {
    super()
    this.origin = origin
    this.location = new URL(url)
  }

  /** This window as `sender` holds it: what is posted through it comes from `sender`. */
  as(sender: FakeWindow): Window {
    const known = this.senders.get(sender)
    if (known !== undefined) return known
    const handle = {
      postMessage: (data: unknown, targetOrigin: string) =>
        this.deliver(structuredClone(data), targetOrigin, sender),
    } as unknown as Window
    this.senders.set(sender, handle)
    return handle
  }

  /** A message event at once, whatever its data. */
  receive(data: unknown, source: unknown, origin: string): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data, source, origin }))
  }

  private deliver(data: unknown, targetOrigin: string, sender: FakeWindow): void {
    this.targets.push(targetOrigin)
    if (targetOrigin !== '*' && targetOrigin !== this.origin) return
    setImmediate(() => this.receive(data, sender.as(this), sender.origin))
  }
}

export interface Mount {
  readonly page: FakeWindow
  readonly world: FakeWindow
  /** For `createWorldHost`. */
  readonly hostSide: { readonly targetWindow: Window; readonly listenWindow: Window }
  /** For `createWorldSdk`. */
  readonly worldSide: { readonly targetWindow: Window; readonly listenWindow: Window }
}

/** A page and a frame in it that know each other. */
export function mount(worldOrigin = 'null', worldUrl?: string): Mount {
  const page = new FakeWindow('http://site.test')
  const world = new FakeWindow(worldOrigin, worldUrl)
  return {
    page,
    world,
    hostSide: { targetWindow: world.as(page), listenWindow: page as unknown as Window },
    worldSide: { targetWindow: page.as(world), listenWindow: world as unknown as Window },
  }
}
