// Peer of row `urls`: normalize-url with the options that suit source identity best. As in urls.py.
import {readFileSync} from 'node:fs';
import normalizeUrl from 'normalize-url';

const options = {forceHttps: true, stripAuthentication: true, stripWWW: true, stripHash: true, sortQueryParameters: true};
const key = url => {
	try {
		return normalizeUrl(url, options);
	} catch {
		return undefined; // A refusal.
	}
};

const pairs = readFileSync(0, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line));
for (const [left, right] of pairs) {
	const keys = [key(left), key(right)];
	console.log(JSON.stringify({peer: 'normalize-url', merged: keys[0] !== undefined && keys[0] === keys[1]}));
}

let fastest = Infinity;
for (let round = 0; round < 5; round++) {
	const start = process.cpuUsage();
	for (const [left, right] of pairs) {
		key(left);
		key(right);
	}

	const {user, system} = process.cpuUsage(start);
	fastest = Math.min(fastest, (user + system) * 1000);
}

console.log(JSON.stringify({peer: 'normalize-url', ns: fastest / (2 * pairs.length)}));
