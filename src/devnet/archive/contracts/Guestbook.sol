// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Visitors leave a line; the first one is the owner's.
contract Guestbook {
    event Signed(address indexed visitor, uint256 indexed entry, string line);

    address public owner;
    uint256 public entries;
    mapping(address => uint256) public lastEntryOf;

    constructor(string memory line) {
        owner = msg.sender;
        write(line);
    }

    function sign(string calldata line) external {
        require(bytes(line).length <= 31, "line too long");
        write(line);
    }

    function write(string memory line) private {
        entries += 1;
        lastEntryOf[msg.sender] = entries;
        emit Signed(msg.sender, entries, line);
    }
}
