/** The words of pasting a curl command. */

export const curlWords = {
  title: 'Paste a curl command',
  add: 'Add the request',
  fill: 'Fill in the request',
  leftTitle: 'Not taken over',
  secretsTitle: 'What proves who you are',
  keep: (title: string): string => `Keep “${title}” in the vault as`,
  nameOf: (title: string): string => `Name of “${title}” in the vault`,
  plain: 'It will stand in the workflow in plain text: everybody who gets the file can read it.',
  noVault: 'There is no vault that could keep it.',
  nameTaken: 'There is a secret of this name already.',
  nameWrong: 'A name has letters, digits and underscores.',
  bound: (host: string): string => `Only HTTP requests to ${host} get it.`,
  pasted: 'Filled in from the curl command.',
  token: 'Bearer token',
  password: 'Password',
  option: (name: string): string => `the option ${name}`,
  variable: (name: string): string => `the value of ${name}: it stands there as it was written`,
  rest: (text: string): string => `what comes after the command: ${text}`,
  method: (name: string): string => `the method ${name}`,
  bodyOfGet: (method: string): string => `the body: a ${method} request is sent without one`,
  keyInAddress: (name: string): string =>
    `the secret “${name}” in the address: it stands there in plain text, beside another way to sign in`,
  moreAddresses: 'all addresses but the first',
  otherBody: 'other data: a request has one body',
  linesKept: 'that --data leaves line breaks of the file out: they are sent along',
  typeOfForm: (type: string): string => `the content type ${type}: a form with files has one of its own`,
  formField: (text: string): string => `the form field ${text}: it has no name`,
  formSetting: (name: string, setting: string): string => `the ${setting} of the form field ${name}`,
  askedPassword: 'the password, which curl would ask for',
  proxyPassword: 'Password for the proxy',
  proxyOf: (protocol: string): string =>
    protocol === ''
      ? 'the proxy: its address can’t be read'
      : `the proxy: ${protocol} is not spoken, only http and https are`,
  insecure: '--insecure: certificates are always checked; name a certificate authority of your own instead',
  clientCertificate: 'Client certificate',
  clientKey: 'Key of the certificate',
  authority: 'Certificate authority',
  pemOf: (option: string, field: string): string =>
    `the file that ${option} names: paste its text into Connection → ${field}`,
  fileOf: (option: string): string => `the file that ${option} names`,
}
