/** The remote safety kernel that the settings of a process name. */

import type { ShellSettings } from '../model/settings/shell-settings.ts'
import type { RemoteKernel } from '../runtime/policy/remote-kernel.ts'
import { createRemoteKernel } from '../runtime/policy/remote-kernel.ts'

/** What of the settings is about it. */
export type SafetyKernelSettings = Pick<
  ShellSettings,
  | 'safetyKernelUrl'
  | 'safetyKernelToken'
  | 'safetyKernelTlsCa'
  | 'safetyKernelTlsRequired'
  | 'safetyKernelInsecure'
>

/** For the options of an engine: nothing where no address is set. Throws `bad_request` for one that is refused. */
export function safetyKernelOf(settings: SafetyKernelSettings | undefined): {
  readonly safetyKernel?: RemoteKernel
} {
  if (settings === undefined || settings.safetyKernelUrl === '') return {}
  return {
    safetyKernel: createRemoteKernel({
      url: settings.safetyKernelUrl,
      token: settings.safetyKernelToken,
      tlsCa: settings.safetyKernelTlsCa,
      tlsRequired: settings.safetyKernelTlsRequired,
      insecure: settings.safetyKernelInsecure,
    }),
  }
}
