// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface Source {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Collects payments in a token: every call reads and writes another contract's storage, so that
/// announcing those slots in an access list (EIP-2930) makes it cheaper.
contract Cashier {
    event Paid(address indexed payer, uint256 value);

    Source public immutable token;
    uint256 public collected;
    mapping(address => uint256) public paidBy;

    constructor(Source token_) {
        token = token_;
    }

    function pay(uint256 value) external {
        token.transferFrom(msg.sender, address(this), value);
        collected += value;
        paidBy[msg.sender] += value;
        emit Paid(msg.sender, value);
    }
}
