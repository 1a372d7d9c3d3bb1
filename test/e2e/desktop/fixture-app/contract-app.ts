/** The fixture app as the contract spec sees it: what its main process and its page keep on their globals. */

/** What the fixture app records on its main process's global object. */
export interface ContractLog {
  readonly hasLock: boolean
  readonly readyAtStart: boolean
  readonly steps: readonly string[]
  readonly notes: readonly unknown[]
  readonly opened: string[]
  readonly denied: readonly string[]
  readonly second: readonly { readonly last: string; readonly data: unknown }[]
  readonly engine: readonly unknown[]
}

/** The main process's global object. */
export interface ContractGlobal {
  readonly contractLog: ContractLog
  readonly contractEngine: { postMessage(message: unknown): void; kill(): boolean }
  readonly startContractEngine: () => void
  readonly openContractWindow: () => unknown
  readonly contractPort: { close(): void; postMessage(message: unknown): void }
}

/** What the fixture's preload and page put on the page's window. */
export interface ContractWindow {
  readonly contract: {
    readonly platform: string
    readonly canReachDisk: boolean
    readonly nested: { readonly list: readonly [number, { readonly deep: boolean }] }
    readonly echo: (value: unknown) => Promise<unknown>
    readonly fail: () => Promise<unknown>
    readonly missing: () => Promise<unknown>
    readonly sender: () => Promise<{
      readonly url: string
      readonly isTop: boolean
      readonly windowId: number
    }>
    readonly note: (text: string) => void
    readonly askPort: (target: string) => void
    readonly twice: (callback: (value: number) => number) => number
    readonly later: <T>(value: T) => Promise<T>
    readonly refuse: () => Promise<never>
  }
  readonly heard: readonly (readonly unknown[])[]
  readonly atStart: { readonly hasApi: string; readonly hasRequire: string; readonly hasProcess: string }
  readonly port: MessagePort
  readonly portMessages: readonly unknown[]
}
