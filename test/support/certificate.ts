import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TestCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** Makes a certificate that signs itself, for `hostName` and this machine, in `folder`. */
export function makeCertificate(
  folder: string,
  hostName: string,
  file = hostName,
): TestCertificate {
  const certFile = join(folder, `${file}.pem`);
  const keyFile = join(folder, `${file}.key`);
  execFileSync(
    'openssl',
    [
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2',
      `-subj /CN=${hostName} -addext subjectAltName=DNS:${hostName},IP:127.0.0.1`,
      `-keyout ${keyFile} -out ${certFile}`,
    ]
      .join(' ')
      .split(' '),
    { stdio: 'ignore' },
  );
  return {
    certFile,
    keyFile,
    cert: readFileSync(certFile, 'utf8'),
    key: readFileSync(keyFile, 'utf8'),
  };
}
