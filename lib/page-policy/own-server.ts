declare global {
  // Next bundles `proxy.ts` apart from the server's own code; the two share no module, only the process.
  var weftSendsPageHeaders: boolean | undefined
}

/** Says that this process gives pages their headers before Next sees a request. No client and no setting can say it. */
export function sendPageHeadersOurselves(): void {
  globalThis.weftSendsPageHeaders = true
}

/** Whether `sendPageHeadersOurselves` was called in this process. */
export function arePageHeadersSent(): boolean {
  return globalThis.weftSendsPageHeaders === true
}
